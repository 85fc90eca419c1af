import { useEffect, useRef, useState } from 'preact/hooks'
import type { CheckoutPayment, PayableAddress, SignatureTerms } from '../../core/checkout/view.ts'
import type { Messages } from '../messages/en.ts'
import { discoverWallets, type Wallet } from './discover.ts'
import { usePage } from './parts/context.ts'
import { Icon } from './parts/icons.tsx'
import { payFrom, signFrom, type WalletProblem, type WalletStep } from './payFrom.ts'
import { sentenceOfReason } from './sentences.ts'
import type { Signing } from './session/requests.ts'
import { unsentPayment } from './session/selection.ts'
import type { SignedTransfer } from './session/signedTransfer.ts'
import { paymentUri } from './session/transferRequest.ts'
import type { Session } from './session/useSession.ts'

interface WalletPanelProps {
  readonly session: Session
  readonly payment: CheckoutPayment
  readonly to: PayableAddress
}

const WORDS = {
  connecting: 'walletConnecting',
  switching: 'walletSwitching',
  confirming: 'walletConfirming',
  signing: 'walletSigning',
  declined: 'walletDeclined',
  busy: 'walletBusy',
  elsewhere: 'walletElsewhere',
  unsupported: 'walletFailed',
  failed: 'walletFailed',
} as const satisfies Record<WalletStep | WalletProblem, keyof Messages>
const SIGNING = { ...WORDS, unsupported: 'signUnfit', failed: 'signDeclined' } as const

const UNDER_WAY = /^wallet(Connecting|Switching|Confirming|Signing|Delivering|Sent)$/
/** Signing again changes nothing about these. */
const BY_TRANSFER_ONLY = /^sign(Limit|Unfit)$/
/** A transfer changes nothing about these, or would pay twice. */
const BY_NO_TRANSFER =
  /^(walletBusy|walletElsewhere|sign(Blocked|Closed|InFlight|Lost|Paused|Short))$/

/** Links that open a page in a wallet's own browser, where its wallet can pay: they work without the app, too. */
const APPS: readonly (readonly [name: string, linkTo: (url: string) => string])[] = [
  ['MetaMask', (url) => `https://metamask.app.link/dapp/${url.replace(/^https?:\/\//, '')}`],
  ['Coinbase Wallet', (url) => `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(url)}`],
  [
    'Trust Wallet',
    (url) => `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(url)}`,
  ],
  ['Rainbow', (url) => `https://rnbwapp.com/dapp?url=${encodeURIComponent(url)}`],
  [
    'OKX Wallet',
    (url) =>
      `https://web3.okx.com/download?deeplink=${encodeURIComponent(`okx://wallet/dapp/url?dappUrl=${encodeURIComponent(url)}`)}`,
  ],
]

interface Attempt {
  readonly wallet: string
  readonly says: keyof Messages
}

/** The wallets in this browser, each of which can pay what is due: by signature where that is offered. */
export function WalletPanel({ session, payment, to }: WalletPanelProps) {
  const { words, announce, isAlive, merchant } = usePage()
  const [wallets, setWallets] = useState<readonly Wallet[]>([])
  const [attempt, setAttempt] = useState<Attempt | null>(null)
  const [isByTransfer, setByTransfer] = useState(false)
  const [isFramed, setFramed] = useState(false)
  // What the server may have: it is sent again before anything else is signed.
  const lost = useRef<SignedTransfer | null>(null)
  useEffect(() => {
    setFramed(window.top !== window)
    return discoverWallets(setWallets)
  }, [])

  const terms = isByTransfer ? null : to.signature
  const nameOf = ({ info }: Wallet) => info.name || words.say('walletUnnamed')

  async function pay(wallet: Wallet) {
    const show = (says: keyof Messages) => {
      setAttempt({ wallet: nameOf(wallet), says })
      if (BY_TRANSFER_ONLY.test(says)) setByTransfer(true)
    }
    const onStep = (step: WalletStep) => show(WORDS[step])
    if (terms !== null) return show(await paySigned(wallet, terms, show, onStep))
    const result = await payFrom(wallet.provider, to, payment, onStep)
    show(result.ok ? 'walletSent' : WORDS[result.problem])
    if (result.ok) session.act('transactions', { hash: result.sent })
  }

  /** Resolves with what is to be said of it. */
  async function paySigned(
    { provider }: Wallet,
    terms: SignatureTerms,
    show: (says: keyof Messages) => void,
    onStep: (step: WalletStep) => void,
  ): Promise<keyof Messages> {
    let signed = lost.current
    if (signed === null || Number(signed.validBefore) * 1_000 <= session.timeNow()) {
      const result = await signFrom(provider, to, terms, session, onStep)
      if (!result.ok) return SIGNING[result.problem]
      signed = result.sent
    }
    show('walletDelivering')
    const answer = await session.sign(signed)
    lost.current = answer === 'lost' ? signed : null
    return sentenceOf(answer)
  }

  /** The button goes, so the focus moves to the wallet's. */
  function switchToTransfer(button: HTMLButtonElement) {
    setByTransfer(true)
    announce(words.say('gasNeeded', { coin: to.coinSymbol }))
    button.closest('section')?.querySelector('button')?.focus()
  }

  const sentence =
    attempt &&
    words.say(attempt.says, {
      ...{ wallet: attempt.wallet, token: payment.tokenSymbol, network: to.name },
      ...{ coin: to.coinSymbol, due: words.money(payment.due, payment.tokenSymbol), merchant },
    })
  useEffect(() => {
    if (sentence) announce(sentence)
  }, [sentence])

  // What was sent isn't sent again while the network doesn't have it yet.
  const isUnderWay = attempt !== null && UNDER_WAY.test(attempt.says)
  const isTransferOffered =
    attempt === null
      ? unsentPayment(session.view) !== null
      : !isUnderWay && !BY_NO_TRANSFER.test(attempt.says)
  return (
    <section
      class={`wallets ${wallets.length > 0 || isFramed ? '' : 'touch'}`}
      aria-labelledby="wallets"
    >
      <h3 id="wallets">{words.say('walletTitle')}</h3>
      {wallets.map((wallet) => (
        <button
          key={wallet.info.uuid}
          type="button"
          class="button wide"
          aria-disabled={isUnderWay}
          onClick={() => isUnderWay || pay(wallet)}
        >
          {wallet.info.icon.startsWith('data:image/') ? (
            <img src={wallet.info.icon} alt="" width="20" height="20" />
          ) : (
            <Icon shape="wallet" />
          )}
          {words.say('walletPay', { wallet: nameOf(wallet) })}
        </button>
      ))}
      {wallets.length > 0 && to.signature && (
        <p class="hint">
          {words.say(isByTransfer ? 'gasNeeded' : 'gasless', { coin: to.coinSymbol })}
        </p>
      )}
      {wallets.length === 0 && isFramed && (
        // Some wallets aren't there inside other pages.
        <a class="button wide" href={tabUrl()} target="_blank" rel="noopener noreferrer">
          <Icon shape="out" />
          {words.say('walletTab')}
        </a>
      )}
      {wallets.length === 0 && isAlive && !isFramed && (
        <ul class="apps touch">
          {APPS.map(([name, linkTo]) => (
            <li key={name}>
              <a class="button wide" href={linkTo(location.href)} rel="noreferrer">
                {name}
              </a>
            </li>
          ))}
        </ul>
      )}
      {wallets.length === 0 && (
        <a class="button wide touch" href={paymentUri(to, payment)}>
          <Icon shape="phone" />
          {words.say('walletApp')}
        </a>
      )}
      {sentence && <p class={isUnderWay ? 'attempt' : 'attempt failed'}>{sentence}</p>}
      {wallets.length > 0 && terms && isTransferOffered && (
        <button
          type="button"
          class="wide"
          onClick={({ currentTarget }) => switchToTransfer(currentTarget)}
        >
          {words.say('byTransfer')}
        </button>
      )}
    </section>
  )
}

function sentenceOf(answer: Signing): keyof Messages {
  if (answer === 'often') return 'tooOften'
  if (answer === 'lost') return 'signLost'
  if (answer === 'failed') return 'signFailed'
  const isRefused = answer.status === 'refused' || answer.status === 'failed'
  return isRefused ? sentenceOfReason(answer) : 'walletSent'
}

/** This page without the one that it is shown in. */
function tabUrl(): string {
  const url = new URL(location.href)
  url.searchParams.delete('parent')
  return url.href
}
