import { useEffect, useState } from 'preact/hooks'
import type { CheckoutPayment, PayableAddress } from '../../core/checkout/view.ts'
import type { Messages } from '../messages/en.ts'
import { discoverWallets, type Wallet } from './discover.ts'
import { usePage } from './parts/context.ts'
import { Icon } from './parts/icons.tsx'
import { payFrom, type WalletProblem, type WalletStep } from './payFrom.ts'
import { paymentUri } from './session/transferRequest.ts'

interface WalletPanelProps {
  readonly payment: CheckoutPayment
  readonly to: PayableAddress
  readonly sent: (hash: string) => void
}

const WORDS = {
  connecting: 'walletConnecting',
  switching: 'walletSwitching',
  confirming: 'walletConfirming',
  sent: 'walletSent',
  declined: 'walletDeclined',
  busy: 'walletBusy',
  elsewhere: 'walletElsewhere',
  failed: 'walletFailed',
} as const satisfies Record<WalletStep | WalletProblem | 'sent', keyof Messages>

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
  readonly now: keyof typeof WORDS
}

/** The wallets in this browser, each of which can pay what is due. */
export function WalletPanel({ payment, to, sent }: WalletPanelProps) {
  const { words, announce, isAlive } = usePage()
  const [wallets, setWallets] = useState<readonly Wallet[]>([])
  const [attempt, setAttempt] = useState<Attempt | null>(null)
  const [isFramed, setFramed] = useState(false)
  useEffect(() => {
    setFramed(window.top !== window)
    return discoverWallets(setWallets)
  }, [])

  const nameOf = ({ info }: Wallet) => info.name || words.say('walletUnnamed')

  async function pay(wallet: Wallet) {
    const show = (now: Attempt['now']) => setAttempt({ wallet: nameOf(wallet), now })
    const { provider } = wallet
    const result = await payFrom(provider, to, payment, show)
    show(result.ok ? 'sent' : result.problem)
    if (result.ok) sent(result.hash)
  }

  const sentence = attempt && sentenceOf(attempt)
  useEffect(() => {
    if (sentence) announce(sentence)
  }, [sentence])

  function sentenceOf({ wallet, now }: Attempt): string {
    const { tokenSymbol: token } = payment
    return words.say(WORDS[now], { wallet, token, network: to.name, coin: to.coinSymbol })
  }

  // What was sent isn't sent again while the network doesn't have it yet.
  const isUnderWay =
    attempt !== null && /^(connecting|switching|confirming|sent)$/.test(attempt.now)
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
          disabled={isUnderWay}
          onClick={() => pay(wallet)}
        >
          {wallet.info.icon.startsWith('data:image/') ? (
            <img src={wallet.info.icon} alt="" width="20" height="20" />
          ) : (
            <Icon shape="wallet" />
          )}
          {words.say('walletPay', { wallet: nameOf(wallet) })}
        </button>
      ))}
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
      {sentence && <p class={`attempt ${attempt.now}`}>{sentence}</p>}
    </section>
  )
}

/** This page without the one that it is shown in. */
function tabUrl(): string {
  const url = new URL(location.href)
  url.searchParams.delete('parent')
  return url.href
}
