import { useQuery } from '@tanstack/preact-query'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { Snippet } from '../parts/Snippet.tsx'
import { Failed, Skeleton } from '../parts/States.tsx'
import { getData, merchantApi } from '../session/request.ts'
import {
  createInvoice,
  keyVariable,
  type Own,
  playScenario,
  readEvents,
  readInvoice,
  requirements,
  testWebhook,
  useSdk,
} from './snippets.ts'

type Title = Parameters<ReturnType<typeof usePage>['words']['say']>[0]

interface Step {
  readonly title: Title
  readonly hint: Title
  readonly text: string
}

/** The first calls, from a key to money, with the merchant's own ids in them. */
export function QuickStart({ merchantId }: { readonly merchantId: string }) {
  const { words, isSandbox } = usePage()
  const own = useQuery({
    queryKey: ['quick-start', merchantId],
    queryFn: () => getData<Own>(merchantApi(merchantId, '/v1/quick-start')),
  })
  if (own.isPending) return <Skeleton rows={8} />
  if (own.isError) return <Failed error={own.error} onRetry={() => own.refetch()} />
  return (
    <>
      <section class="card" aria-labelledby="begin">
        <h2 id="begin">{words.say('devGetStarted')}</h2>
        <p>
          {words.say('devGetStartedHint')}{' '}
          <a href={placePath(merchantId, 'developers')}>{words.say('devKeys')}</a>
        </p>
        <dl>
          <div>
            <dt>{words.say('devApiUrl')}</dt>
            <dd class="long">{own.data.apiUrl}</dd>
          </div>
          <div>
            <dt>{words.say('merchant')}</dt>
            <dd class="long">
              <code>{own.data.merchantId}</code>
            </dd>
          </div>
        </dl>
        <Snippet label={words.say('devGetStarted')} text={keyVariable} />
      </section>
      {stepsOf(own.data, isSandbox).map(({ title, hint, text }) => (
        <section key={title} class="card" aria-labelledby={title}>
          <h2 id={title}>{words.say(title)}</h2>
          <p class="hint">{words.say(hint)}</p>
          <Snippet label={words.say(title)} text={text} />
        </section>
      ))}
    </>
  )
}

/** What can be run now; what lacks something says what. */
function stepsOf(own: Own, isSandbox: boolean): readonly Step[] {
  const steps: Step[] = [
    { title: 'devCreateInvoice', hint: 'devCreateInvoiceHint', text: createInvoice(own) },
    { title: 'devReadInvoice', hint: 'devReadInvoiceHint', text: readInvoice(own) },
  ]
  if (isSandbox && own.invoiceId !== null) {
    steps.push({ title: 'devPay', hint: 'devPayHint', text: playScenario(own) })
  }
  steps.push({ title: 'devReadEvents', hint: 'devReadEventsHint', text: readEvents(own) })
  if (own.webhookEndpointId !== null) {
    steps.push({ title: 'devTestWebhook', hint: 'devTestWebhookHint', text: testWebhook(own) })
  }
  if (own.x402EndpointId !== null) {
    steps.push({ title: 'devRequirements', hint: 'devRequirementsHint', text: requirements(own) })
  }
  steps.push({ title: 'devSdk', hint: 'devSdkHint', text: useSdk(own) })
  return steps
}
