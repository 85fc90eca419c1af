import { useQueryClient } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { Add } from '../forms/Add.tsx'
import { Empty } from '../parts/Empty.tsx'
import { Head } from '../parts/Head.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Rows } from '../parts/Rows.tsx'
import { useList } from '../session/lists.ts'
import { InvoiceTabs } from './InvoiceTabs.tsx'
import { LinkForm } from './LinkForm.tsx'
import { type LinkJson, OneLink } from './OneLink.tsx'

const ROWS = 25
const LIST = 'payment-links'

type LinksPageProps = Pick<PlaceProps, 'merchantId' | 'role'>

/** Lasting addresses at which anybody may pay a price: made here, sent or printed, and switched off. */
export function LinksPage({ merchantId, role }: LinksPageProps) {
  const { words } = usePage()
  const { query, path: here, route } = useLocation()
  const client = useQueryClient()
  const list = useList<LinkJson>(merchantId, LIST, ROWS)

  /** The new one is the first of the list. */
  async function showFirst(): Promise<void> {
    route(here)
    await client.invalidateQueries({ queryKey: [LIST, merchantId] })
  }
  return (
    <>
      <Head title={words.say('links')} hint={words.say('linksHint')}>
        {may(role, 'createPaymentLink') && (
          <Add label={words.say('linkAdd')} isFirst={query.new !== undefined}>
            {(close) => <LinkForm merchantId={merchantId} onMade={() => showFirst().then(close)} />}
          </Add>
        )}
      </Head>
      <InvoiceTabs merchantId={merchantId} />
      <Rows
        query={list}
        most={ROWS}
        shown="linksShown"
        empty={<Empty title={words.say('linksNoneTitle')} next={words.say('linksNoneNext')} />}
        onGo={(to) => route(`${here}?${new URLSearchParams(to)}`)}
      >
        {(rows) =>
          rows.map((link) => (
            <OneLink
              key={link.id}
              {...{ merchantId, link, mayChange: may(role, 'changePaymentLink') }}
              onChanged={() => list.refetch()}
            />
          ))
        }
      </Rows>
    </>
  )
}
