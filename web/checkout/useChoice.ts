import { useEffect, useState } from 'preact/hooks'
import { type CheckoutProps, type Problem, pageUrl } from './session/props.ts'
import { isChoice, requestedAddress } from './session/selection.ts'
import type { Session } from './session/useSession.ts'

/** What the payer has chosen here. */
type Selection = Pick<CheckoutProps, 'network' | 'isChoosing'>

/** Choosing token and network, and choosing again. `shown` is called once what is shown has changed. */
export function useChoice(props: CheckoutProps, { view, act }: Session, shown: () => void) {
  const [{ network, isChoosing }, setSelection] = useState<Selection>(props)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(props.problem)

  async function choose(tokenSymbol: string, networkId: string) {
    setBusy(true)
    const answer = await act('choice', { tokenSymbol, networkId })
    setBusy(false)
    if (answer !== 'ok') return setProblem(answer === 'often' ? 'often' : 'again')
    setProblem(null)
    setSelection({ network: networkId, isChoosing: false })
    history.pushState(null, '', pageUrl(view.id, props.carried, { network: networkId }))
    shown()
  }

  function chooseAgain(event: Event) {
    event.preventDefault()
    setSelection({ network, isChoosing: true })
    history.pushState(null, '', pageUrl(view.id, props.carried, { choose: '1' }))
    shown()
  }

  useEffect(() => {
    // Back from the payment leads to the choice before it, and not out of the page.
    const follow = () => {
      const network = new URLSearchParams(location.search).get('network')
      setSelection({ network, isChoosing: network === null })
      shown()
    }
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])

  return {
    network,
    isChoosing,
    to: requestedAddress(view, network, isChoosing),
    isOpen: isChoice(view, network, isChoosing),
    isBusy,
    problem,
    choose,
    chooseAgain,
  }
}
