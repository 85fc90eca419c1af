import { useState } from 'preact/hooks'
import type { CheckoutView, NetworkChoice, TokenChoice } from '../../core/checkout/view.ts'
import { usePage } from './parts/context.ts'
import { Logo } from './parts/Logo.tsx'
import { isUntouched, recommended } from './session/selection.ts'
import type { useChoice } from './useChoice.ts'

interface ChooseStepProps {
  readonly view: CheckoutView
  readonly choice: Pick<ReturnType<typeof useChoice>, 'network' | 'isBusy' | 'choose'>
  readonly action: string
}

/** Token and network in one choice: a group for each token, a card for each network. */
export function ChooseStep({ view, choice, action }: ChooseStepProps) {
  const { network, isBusy, choose } = choice
  const { words, announce } = usePage()
  const tokens = offered(view)
  const [chosen, setChosen] = useState(() => firstChoice(view, tokens, network))
  const [isMissing, setMissing] = useState(false)
  const token = tokens.find(({ tokenSymbol }) => chosen.startsWith(`${tokenSymbol} `))
  const on = token?.networks.find(({ networkId }) => chosen.endsWith(` ${networkId}`))

  function submit(event: SubmitEvent) {
    event.preventDefault()
    // What was chosen may have been switched off meanwhile.
    setMissing(!on)
    if (!token || !on) return announce(words.say('chooseFirst'))
    choose(token.tokenSymbol, on.networkId)
  }

  return (
    <form class="choose" method="post" action={action} onSubmit={submit} novalidate>
      <h2 id="state" tabIndex={-1}>
        {words.say('chooseTitle')}
      </h2>
      <p class="next">{words.say('chooseHint')}</p>
      {tokens.map((one) => (
        <fieldset key={one.tokenSymbol}>
          <legend>
            <Logo of={one.tokenSymbol} />
            <b>{one.tokenSymbol}</b> {one.tokenName}
            {one.amount !== null && (
              <bdi class="figure">{words.money(one.amount, one.tokenSymbol)}</bdi>
            )}
          </legend>
          {one.networks.map((candidate) => (
            <NetworkCard
              key={candidate.networkId}
              value={`${one.tokenSymbol} ${candidate.networkId}`}
              network={candidate}
              isBest={one.networks.length > 1 && candidate === recommended(one.networks)}
              chosen={chosen}
              choose={setChosen}
            />
          ))}
        </fieldset>
      ))}
      {isMissing && !on && <p class="problem">{words.say('chooseFirst')}</p>}
      <button type="submit" class="button main wide" aria-disabled={isBusy}>
        <span class="unscripted">{words.say('proceed')}</span>
        <span class="scripted">
          {isBusy
            ? words.say('working')
            : token && on
              ? words.say('proceedWith', { token: token.tokenSymbol, network: on.name })
              : words.say('proceed')}
        </span>
      </button>
    </form>
  )
}

interface NetworkCardProps {
  readonly value: string
  readonly network: NetworkChoice
  readonly isBest: boolean
  readonly chosen: string
  readonly choose: (value: string) => void
}

function NetworkCard({ value, network, isBest, chosen, choose }: NetworkCardProps) {
  const { words } = usePage()
  const { networkId, name, health, usualSeconds, usualFeeUsd } = network
  const time = words.say('usually', { time: words.duration(usualSeconds) })
  const fee = usualFeeUsd && words.say('usualFee', { fee: words.money(usualFeeUsd, 'USD') })
  return (
    <label class="card">
      <input
        type="radio"
        name="choice"
        value={value}
        checked={value === chosen}
        onChange={() => choose(value)}
      />
      <b>
        <Logo of={networkId} />
        {name}
      </b>
      {health !== 'ok' && <span class="health">{words.say('networkSlow')}</span>}
      {health === 'ok' && isBest && <span class="pill best">{words.say('recommended')}</span>}
      <span class="time">{fee ? `${fee} · ${time}` : time}</span>
    </label>
  )
}

/** All tokens while nothing was seen; afterwards only the one that is being paid. */
function offered(view: CheckoutView): readonly TokenChoice[] {
  if (isUntouched(view)) return view.tokens
  return view.tokens.filter(({ tokenSymbol }) => tokenSymbol === view.payment?.tokenSymbol)
}

/** What was chosen before, or the recommended network of the token that is being paid, or of the first. */
function firstChoice(
  { payment }: CheckoutView,
  tokens: readonly TokenChoice[],
  network: string | null,
): string {
  const current = payment?.tokenSymbol
  const token = tokens.find(({ tokenSymbol }) => tokenSymbol === current) ?? tokens[0]
  if (token === undefined) return ''
  const on =
    token.networks.find(({ networkId }) => networkId === network) ?? recommended(token.networks)
  return `${token.tokenSymbol} ${on?.networkId ?? ''}`
}
