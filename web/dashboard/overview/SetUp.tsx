import { useQuery } from '@tanstack/preact-query'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { useMe } from '../session/me.ts'
import type { Overview } from '../session/overview.ts'
import { getData, merchantApi } from '../session/request.ts'
import type { SettingsJson } from '../settings/fields.ts'

interface SetUpProps {
  readonly merchantId: string
  readonly overview: Overview
}

type Step = readonly [
  word: 'stepAddress' | 'stepFactor' | 'stepBrand' | 'stepWebhook' | 'stepPayment',
  isDone: boolean,
  href: string,
]

/** What a new merchant still has to do, until there is an address and a payment. */
export function SetUp({ merchantId, overview }: SetUpProps) {
  const isNew = !overview.hasRecipient || overview.days.length === 0
  return isNew ? <Steps {...{ merchantId, overview }} /> : null
}

function Steps({ merchantId, overview }: SetUpProps) {
  const { words } = usePage()
  const me = useMe()
  const settings = useQuery({
    queryKey: ['checkout-settings', merchantId],
    queryFn: () => getData<SettingsJson>(merchantApi(merchantId, '/v1/settings/checkout')),
  })
  const endpoints = useQuery({
    queryKey: ['endpoints', merchantId, 'first'],
    queryFn: () =>
      getData<readonly unknown[]>(merchantApi(merchantId, '/v1/webhooks/endpoints?limit=1')),
  })
  const place = (...to: [Parameters<typeof placePath>[1], string?]) => placePath(merchantId, ...to)
  const steps: readonly Step[] = [
    ['stepAddress', overview.hasRecipient, place('settings')],
    ['stepFactor', me.data?.person.hasSecondFactor === true, '/dashboard/security'],
    [
      'stepBrand',
      Boolean(settings.data?.accent ?? settings.data?.name),
      place('settings', 'checkout'),
    ],
    ['stepWebhook', (endpoints.data?.length ?? 0) > 0, place('developers', 'webhooks')],
    ['stepPayment', overview.days.length > 0, place('invoices', 'new')],
  ]
  const done = steps.filter(([, isDone]) => isDone).length
  return (
    <section class="card" aria-labelledby="set-up">
      <div class="between">
        <h2 id="set-up">{words.say('setUpTitle')}</h2>
        <span class="hint">{words.say('stepsDone', { n: done, all: steps.length })}</span>
      </div>
      <progress max={steps.length} value={done} aria-labelledby="set-up" />
      <ol class="steps">
        {steps.map(([word, isDone, href]) => (
          <li key={word} class={isDone ? 'done' : ''}>
            {isDone ? (
              <span>
                {words.say(word)} <span class="hidden">{words.say('completed')}</span>
              </span>
            ) : (
              <a href={href}>{words.say(word)}</a>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
