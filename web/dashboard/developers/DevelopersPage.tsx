import { Empty } from '../parts/Empty.tsx'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { Tabs } from '../parts/Tabs.tsx'
import { EndpointPage } from './EndpointPage.tsx'
import { EndpointsPage } from './EndpointsPage.tsx'
import { EventsPage } from './EventsPage.tsx'
import { KeysPage } from './KeysPage.tsx'
import { QuickStart } from './QuickStart.tsx'
import { RequestsPage } from './RequestsPage.tsx'

/** Keys, webhooks, events and requests. */
export function DevelopersPage(props: PlaceProps) {
  const { words } = usePage()
  const { merchantId } = props
  const at = (rest: string) => placePath(merchantId, 'developers', rest)
  const tabs = [
    { name: words.say('devKeys'), href: at('') },
    { name: words.say('devWebhooks'), href: at('webhooks') },
    { name: words.say('devEvents'), href: at('events') },
    { name: words.say('devRequests'), href: at('requests') },
    { name: words.say('devQuickStart'), href: at('quick-start') },
  ]
  return (
    <>
      <h1>{words.say('developers')}</h1>
      <Tabs label={words.say('developers')} tabs={tabs} />
      <Part {...props} />
    </>
  )
}

function Part({ merchantId, role, rest }: PlaceProps) {
  const { words } = usePage()
  const [part = '', id = ''] = rest.split('/')
  switch (part) {
    case '':
      return <KeysPage merchantId={merchantId} role={role} />
    case 'webhooks':
      if (id !== '') return <EndpointPage key={id} merchantId={merchantId} role={role} id={id} />
      return <EndpointsPage merchantId={merchantId} role={role} />
    case 'events':
      return <EventsPage merchantId={merchantId} />
    case 'requests':
      return <RequestsPage merchantId={merchantId} />
    case 'quick-start':
      return <QuickStart merchantId={merchantId} />
    default:
      return <Empty title={words.say('notFoundTitle')} next={words.say('notFoundNext')} />
  }
}
