import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { CheckoutView } from '../../core/checkout/view.ts'
import { createWords } from '../language/words.ts'
import { ChooseStep } from './choose/ChooseStep.tsx'
import { PayerForms } from './forms/PayerForms.tsx'
import { Footer } from './frame/Footer.tsx'
import { Header } from './frame/Header.tsx'
import { useSession } from './live/useSession.ts'
import { Page } from './parts/context.ts'
import { PayPanel } from './pay/PayPanel.tsx'
import { Deadline } from './progress/Deadline.tsx'
import { End } from './progress/End.tsx'
import { Notices } from './progress/Notices.tsx'
import { Receipt } from './progress/Receipt.tsx'
import { Status } from './progress/Status.tsx'
import { statusOf } from './progress/sentences.ts'
import { Transfers } from './progress/Transfers.tsx'
import { type CheckoutProps, pageUrl } from './session/props.ts'
import { isChoice, isPayable, selectedAddress } from './session/selection.ts'

/** The whole page, on the server and in the browser. */
export function Checkout(props: CheckoutProps) {
  const { locale, messages, carried } = props
  const { view, isAlive, isConnected, now, act } = useSession(props.view)
  const [{ network, isChoosing }, setSelection] = useState<Selection>(props)
  const [isBusy, setBusy] = useState(false)
  const [said, announce] = useState('')
  const words = useMemo(() => createWords(messages, locale), [messages, locale])
  const main = useRef<HTMLElement>(null)
  const [problem, setProblem] = useState(props.problem)

  const to = selectedAddress(view, network)
  const { payment } = view
  const isChoiceOpen = isChoice(view, network, isChoosing)
  useSpokenState(view, statusOf(view, words).title, announce)
  useKeptFocus(main, `${view.state} ${isChoiceOpen}`)

  async function choose(tokenSymbol: string, networkId: string) {
    setBusy(true)
    const isKnown = payment?.tokenSymbol === tokenSymbol
    const answer = isKnown ? 'ok' : await act('choice', { tokenSymbol, networkId })
    setBusy(false)
    if (answer !== 'ok') return setProblem(answer === 'often' ? 'often' : 'again')
    setProblem(null)
    setSelection({ network: networkId, isChoosing: false })
    history.replaceState(null, '', pageUrl(view.id, carried, { network: networkId }))
    focusOn('state')
  }

  function chooseAgain(event: Event) {
    event.preventDefault()
    setSelection({ network, isChoosing: true })
    focusOn('state')
  }

  const url = (more: Parameters<typeof pageUrl>[2]) =>
    pageUrl(view.id, carried, { network: network ?? undefined, ...more })
  const page = { words, merchant: view.merchant.name, isAlive, announce }
  return (
    <Page.Provider value={page}>
      <Header view={view} />
      <main ref={main} id="payment">
        {isChoiceOpen ? (
          <ChooseStep
            view={view}
            network={network}
            action={url({ path: '/choice' })}
            isBusy={isBusy}
            choose={choose}
          />
        ) : (
          <Status view={view}>{isPayable(view) && <Deadline view={view} now={now} />}</Status>
        )}
        {problem && (
          <p class="problem">{words.say(problem === 'often' ? 'tooOften' : 'tryAgain')}</p>
        )}
        {!isConnected && <p class="problem">{words.say('offline')}</p>}
        <Notices view={view} />
        {view.state === 'completed' && payment && <Receipt view={view} payment={payment} />}
        <End view={view} />
        {!isChoiceOpen && isPayable(view) && payment && to && (
          <PayPanel
            view={view}
            payment={payment}
            to={to}
            changeUrl={url({ choose: '1' })}
            choose={chooseAgain}
            sent={(hash) => act('transactions', { hash })}
          />
        )}
        <Transfers transfers={[...listedTransfers(view), ...view.earlier]} />
        <PayerForms view={view} url={url} problem={problem} act={act} />
      </main>
      <Footer view={view} locales={props.locales} network={network} carried={carried} />
      <p class="hidden" role="status">
        {said}
      </p>
    </Page.Provider>
  )
}

/** What the payer has chosen here; the server needs to know only of the token. */
type Selection = Pick<CheckoutProps, 'network' | 'isChoosing'>

/** The receipt has those that it is for. */
function listedTransfers({ state, payment }: CheckoutView) {
  const isOnReceipt = (kind: string) => state === 'completed' && kind === 'counted'
  return payment?.transfers.filter(({ kind }) => !isOnReceipt(kind)) ?? []
}

/** Says a state once it has changed, not the one that the page began with. */
function useSpokenState(view: CheckoutView, title: string, announce: (text: string) => void) {
  const shown = useRef(title)
  useEffect(() => {
    if (shown.current !== title) announce(title)
    shown.current = title
  }, [title, view.state])
}

/** Whoever was on something that a change has taken away goes on from the new state's heading. */
function useKeptFocus(main: { readonly current: HTMLElement | null }, shown: string) {
  const wasInside = useRef(false)
  useLayoutEffect(() => {
    if (wasInside.current && document.activeElement === document.body) focusOn('state')
    const look = () => {
      wasInside.current = main.current?.contains(document.activeElement) ?? false
    }
    look()
    document.addEventListener('focusin', look)
    return () => document.removeEventListener('focusin', look)
  }, [shown])
}

/** Once the change is on the page. */
function focusOn(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus())
}
