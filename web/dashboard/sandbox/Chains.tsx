import { ActionButton } from '../forms/ActionButton.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { toastDone } from '../parts/Toasts.tsx'
import { merchantApi, request } from '../session/request.ts'
import type { PlayChain } from './sandboxJson.ts'

interface ChainsProps {
  readonly merchantId: string
  readonly chains: readonly PlayChain[]
  readonly onMoved: () => Promise<unknown>
}

const STEPS = [
  { seconds: 60, word: 'boxMinute' },
  { seconds: 3_600, word: 'boxHour' },
  { seconds: 86_400, word: 'boxDay' },
] as const

/** The clocks of the development chains, which go ahead by a button. */
export function Chains({ merchantId, chains, onMoved }: ChainsProps) {
  const { words } = usePage()
  if (chains.length === 0) return null
  const exact = new Intl.DateTimeFormat(words.locale, { dateStyle: 'medium', timeStyle: 'medium' })

  async function move(networkId: string, seconds: number): Promise<void> {
    const body = { networkId, seconds }
    await request('POST', merchantApi(merchantId, '/v1/sandbox/time'), body)
    await onMoved()
    toastDone(words, 'audit_advanceSandboxTime', placePath(merchantId, 'sandbox'))
  }

  return (
    <section class="card" aria-labelledby="clocks">
      <h2 id="clocks">{words.say('boxClocks')}</h2>
      <p class="hint">{words.say('boxClocksHint')}</p>
      <ul class="lines">
        {chains.map(({ networkId, name, time, block }) => (
          <li key={networkId}>
            <span>
              {name} <time dateTime={time}>{exact.format(new Date(time))}</time>{' '}
              <small class="hint">{words.say('boxBlock', { n: block })}</small>
            </span>
            <span class="actions">
              {STEPS.map(({ seconds, word }) => (
                <ActionButton
                  key={seconds}
                  label={words.say(word)}
                  of={name}
                  onAction={() => move(networkId, seconds)}
                />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
