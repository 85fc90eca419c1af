import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { CheckoutView } from '../../core/checkout/view.ts'
import { createWords } from '../messages/words.ts'
import { ChooseStep } from './ChooseStep.tsx'
import { Deadline } from './Deadline.tsx'
import { End } from './End.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { Notices } from './Notices.tsx'
import { PayerForms } from './PayerForms.tsx'
import { PayPanel } from './PayPanel.tsx'
import { Page } from './parts/context.ts'
import { Fold, useUnfolding } from './parts/Fold.tsx'
import { Receipt } from './Receipt.tsx'
import { SignedLink, Status } from './Status.tsx'
import { noticesOf, statusOf } from './sentences.ts'
import { type CheckoutProps, pageUrl } from './session/props.ts'
import { isPayable, misdirected, signedPayment } from './session/selection.ts'
import { type Session, useSession } from './session/useSession.ts'
import { Transfers } from './Transfers.tsx'
import { useChoice } from './useChoice.ts'

export interface CheckoutPage extends CheckoutProps {
  /** Whether this is a browser, in which the page comes to life. */
  readonly isAlive?: boolean
}

/** The whole page, on the server and in the browser, where it follows the session. */
export function Checkout(props: CheckoutPage) {
  return <ShownSession {...props} session={useSession(props.view)} />
}

/** The page of a session as it is given. */
export function ShownSession({
  isAlive = false,
  session,
  ...props
}: CheckoutPage & { readonly session: Session }) {
  const { locale, messages, carried } = props
  const { view, isConnected, timeNow, act } = session
  const choice = useChoice(props, session, focusOnState)
  const words = useMemo(() => createWords(messages, locale), [messages, locale])
  const main = useRef<HTMLElement>(null)
  const [said, announce] = useAnnouncer()
  const signed = signedPayment(view)
  const spoken = [...noticesOf(view, words).map(({ next }) => next), statusOf(view, words).title]
  useSpokenState(view, spoken.join(' '), announce)
  useKeptFocus(main, `${view.state} ${signed?.status} ${choice.isOpen}`)

  const { payment } = view
  const { network, to, problem } = choice
  const wrong = misdirected(view)
  const paying = useUnfolding()
  // What arrived wrongly is said before the payer is asked to choose again.
  const isAsked = choice.isOpen && (wrong === null || choice.isChoosing)
  const url = (more: Parameters<typeof pageUrl>[2]) =>
    pageUrl(view.id, carried, { network: network ?? undefined, ...more })
  const panel = payment && to && (
    <PayPanel
      session={session}
      payment={payment}
      to={to}
      drawn={props.code}
      changeUrl={url({ choose: '1' })}
      choose={choice.chooseAgain}
    />
  )
  return (
    <Page.Provider value={{ words, merchant: view.merchant.name, isAlive, announce }}>
      <Header view={view} />
      <main ref={main} id="payment">
        {isAsked ? (
          <ChooseStep view={view} choice={choice} action={url({ path: '/choice' })} />
        ) : (
          <Status view={view}>
            {isPayable(view) && <Deadline view={view} timeNow={timeNow} />}
            {signed && <SignedLink view={view} signed={signed} />}
          </Status>
        )}
        {problem === 'often' && <p class="problem">{words.say('tooOften')}</p>}
        {problem === 'again' && <p class="problem">{words.say('tryAgain')}</p>}
        {!isConnected && <p class="problem">{words.say('offline')}</p>}
        <Notices view={view} />
        {view.state === 'completed' && payment && (
          <Receipt
            {...{ view, payment }}
            receipt={problem === 'receipt' ? 'wrong' : props.receipt}
            action={url({ path: '/receipt' })}
          />
        )}
        <End view={view} again={url({ path: '/again' })} />
        {wrong === null && panel}
        <Transfers transfers={[...listedTransfers(view), ...view.earlier]} />
        <PayerForms view={view} url={url} problem={problem} act={act} />
        {wrong !== null && payment && isPayable(view) && !isAsked && (
          <Fold
            title={words.say('wrongPay', { due: words.money(payment.due, payment.tokenSymbol) })}
            unfolding={paying}
          >
            {panel ?? (
              <a class="button wide" href={url({ choose: '1' })} onClick={choice.chooseAgain}>
                {words.say('chooseTitle')}
              </a>
            )}
          </Fold>
        )}
      </main>
      <Footer view={view} locales={props.locales} network={network} carried={carried} />
      <p class="hidden" role="status">
        {said}
      </p>
    </Page.Provider>
  )
}

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

/** Moves the focus to the new state's heading when a change has removed the focused element. */
function useKeptFocus(main: { readonly current: HTMLElement | null }, shown: string) {
  const wasInside = useRef(false)
  useLayoutEffect(() => {
    if (wasInside.current && document.activeElement === document.body) focusOnState()
    const recordFocus = () => {
      wasInside.current = main.current?.contains(document.activeElement) ?? false
    }
    recordFocus()
    document.addEventListener('focusin', recordFocus)
    return () => document.removeEventListener('focusin', recordFocus)
  }, [shown])
}

/** Announces to screen readers; the same text twice is announced twice. */
function useAnnouncer(): readonly [string, (sentence: string) => void] {
  const [said, setSaid] = useState('')
  const announce = (sentence: string) =>
    setSaid((before) => (before === sentence ? `${sentence}\u00a0` : sentence))
  return [said, announce]
}

/** Once the change is on the page. */
function focusOnState(): void {
  requestAnimationFrame(() => document.getElementById('state')?.focus())
}
