import type { CheckoutView, NetworkChoice, TokenChoice } from '../../core/checkout/view.ts'
import { usePage } from './parts/context.ts'
import { isUntouched } from './session/selection.ts'
import type { useChoice } from './useChoice.ts'

interface ChooseStepProps {
  readonly view: CheckoutView
  readonly choice: Pick<ReturnType<typeof useChoice>, 'network' | 'isBusy' | 'choose'>
  readonly action: string
}

/** Token and network in one choice: a group for each token, a card for each network. */
export function ChooseStep({ view, choice, action }: ChooseStepProps) {
  const { network, isBusy, choose } = choice
  const { words } = usePage()
  const tokens = offered(view)
  const count = tokens.reduce((sum, { networks }) => sum + networks.length, 0)

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const [token = '', chosen = ''] = String(new FormData(event.currentTarget).get('choice')).split(
      ' ',
    )
    choose(token, chosen)
  }

  return (
    <form class="choose" method="post" action={action} onSubmit={submit}>
      <h2 id="state" tabIndex={-1}>
        {words.say('chooseTitle')}
      </h2>
      <p class="next">{words.say('chooseHint')}</p>
      {tokens.map((token) => (
        <fieldset key={token.tokenSymbol}>
          <legend>
            <b>{token.tokenSymbol}</b> {token.tokenName}
            {token.amount !== null && (
              <bdi class="figure">{words.money(token.amount, token.tokenSymbol)}</bdi>
            )}
          </legend>
          {token.networks.map((one) => (
            <NetworkCard
              key={one.networkId}
              token={token}
              network={one}
              isChosen={count === 1 || isCurrent(view, network, token, one)}
            />
          ))}
        </fieldset>
      ))}
      <button type="submit" class="button main wide" disabled={isBusy}>
        {words.say(isBusy ? 'working' : 'proceed')}
      </button>
    </form>
  )
}

function NetworkCard(props: {
  readonly token: TokenChoice
  readonly network: NetworkChoice
  readonly isChosen: boolean
}) {
  const { words } = usePage()
  const { network, token } = props
  const time = words.say('usually', { time: words.duration(network.usualSeconds) })
  return (
    <label class="card">
      <input
        type="radio"
        name="choice"
        required
        value={`${token.tokenSymbol} ${network.networkId}`}
        defaultChecked={props.isChosen}
      />
      <b>{network.name}</b>
      {network.health !== 'ok' && <span class="health">{words.say('networkSlow')}</span>}
      <span class="time">{time}</span>
    </label>
  )
}

/** All tokens while nothing was seen; afterwards only the one that is being paid. */
function offered(view: CheckoutView): readonly TokenChoice[] {
  if (isUntouched(view)) return view.tokens
  return view.tokens.filter(({ tokenSymbol }) => tokenSymbol === view.payment?.tokenSymbol)
}

function isCurrent(
  view: CheckoutView,
  network: string | null,
  { tokenSymbol }: TokenChoice,
  { networkId }: NetworkChoice,
): boolean {
  const current = view.payment?.tokenSymbol
  return networkId === network && (current === undefined || current === tokenSymbol)
}
