import { useState } from 'preact/hooks'
import { type CheckoutProps, type Problem, pageUrl } from './session/props.ts'
import { isChoice, requestedAddress } from './session/selection.ts'
import type { Session } from './session/useSession.ts'

/** What the payer has chosen here; the server needs to know only of the token. */
type Selection = Pick<CheckoutProps, 'network' | 'isChoosing'>

/** Choosing token and network, and choosing again. `shown` is called once what is shown has changed. */
export function useChoice(props: CheckoutProps, { view, act }: Session, shown: () => void) {
  const [{ network, isChoosing }, setSelection] = useState<Selection>(props)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(props.problem)

  async function choose(tokenSymbol: string, networkId: string) {
    setBusy(true)
    const isKnown = view.payment?.tokenSymbol === tokenSymbol
    const answer = isKnown ? 'ok' : await act('choice', { tokenSymbol, networkId })
    setBusy(false)
    if (answer !== 'ok') return setProblem(answer === 'often' ? 'often' : 'again')
    setProblem(null)
    setSelection({ network: networkId, isChoosing: false })
    history.replaceState(null, '', pageUrl(view.id, props.carried, { network: networkId }))
    shown()
  }

  function chooseAgain(event: Event) {
    event.preventDefault()
    setSelection({ network, isChoosing: true })
    shown()
  }

  return {
    network,
    to: requestedAddress(view, network, isChoosing),
    isOpen: isChoice(view, network, isChoosing),
    isBusy,
    problem,
    choose,
    chooseAgain,
  }
}
