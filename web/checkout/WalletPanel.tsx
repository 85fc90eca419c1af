import { useEffect, useState } from 'preact/hooks'
import type { CheckoutPayment, PayableAddress } from '../../core/checkout/view.ts'
import type { Messages } from '../messages/en.ts'
import { discoverWallets, type Wallet } from './discover.ts'
import { usePage } from './parts/context.ts'
import { Icon } from './parts/icons.tsx'
import { payFrom, type WalletProblem, type WalletStep } from './payFrom.ts'

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

interface Attempt {
  readonly wallet: string
  readonly now: keyof typeof WORDS
}

/** The wallets in this browser, each of which can pay what is due. */
export function WalletPanel({ payment, to, sent }: WalletPanelProps) {
  const { words, announce } = usePage()
  const [wallets, setWallets] = useState<readonly Wallet[]>([])
  const [attempt, setAttempt] = useState<Attempt | null>(null)
  const [isFramed, setFramed] = useState(false)
  useEffect(() => {
    setFramed(window.top !== window)
    return discoverWallets(setWallets)
  }, [])

  async function pay({ info, provider }: Wallet) {
    const show = (now: Attempt['now']) => setAttempt({ wallet: info.name, now })
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

  if (wallets.length === 0 && !isFramed) return null
  // What was sent isn't sent again while the network doesn't have it yet.
  const isUnderWay =
    attempt !== null && /^(connecting|switching|confirming|sent)$/.test(attempt.now)
  return (
    <section class="wallets" aria-labelledby="wallets">
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
          {words.say('walletPay', { wallet: wallet.info.name })}
        </button>
      ))}
      {wallets.length === 0 && (
        // Some wallets aren't there inside other pages.
        <a class="button wide" href={tabUrl()} target="_blank" rel="noopener noreferrer">
          <Icon shape="out" />
          {words.say('walletTab')}
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
