import { useEffect, useState } from 'preact/hooks'
import { discoverWallets, type Wallet } from '../../checkout/discover.ts'
import { payFrom, type WalletProblem, type WalletStep } from '../../checkout/payFrom.ts'
import { Callout } from '../parts/Callout.tsx'
import { usePage } from '../parts/page.ts'
import { problemText } from '../parts/States.tsx'
import { explainAction } from '../recoveries/explain.ts'
import type { Payer } from './refundable.ts'

interface WalletButtonsProps {
  readonly payer: Payer
  readonly asset: string
  /** Null while it is none that can be sent. */
  readonly amount: string | null
  /** Records what was sent. */
  readonly onSent: (txHash: string, amount: string, networkId: string) => Promise<void>
}

interface Attempt {
  readonly wallet: string
  readonly now: WalletStep | WalletProblem | 'sent'
}

const STEPS = {
  connecting: 'walletNowConnecting',
  switching: 'walletNowSwitching',
  confirming: 'walletNowConfirming',
  signing: 'walletNowConfirming',
  sent: 'walletNowSent',
  declined: 'walletNowDeclined',
  busy: 'walletNowBusy',
  elsewhere: 'walletNowElsewhere',
  unsupported: 'walletNowFailed',
  failed: 'walletNowFailed',
} as const satisfies Record<Attempt['now'], string>

/** The wallets in this browser, each of which can send the refund. */
export function WalletButtons({ payer, asset, amount, onSent }: WalletButtonsProps) {
  const { words, networks, tokens } = usePage()
  const [wallets, setWallets] = useState<readonly Wallet[]>([])
  const [attempt, setAttempt] = useState<Attempt | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => discoverWallets(setWallets), [])
  const network = networks.find(({ id }) => id === payer.chain)
  const decimals = tokens.find(({ symbol }) => symbol === asset)?.decimals
  if (wallets.length === 0 || network === undefined || decimals === undefined) return null
  const { explorer, name, chainId, coinSymbol, publicRpc } = network
  const { address, tokenAddress, chain: networkId } = payer
  const to = {
    ...{ name, chainId, coinSymbol, publicRpc, address, tokenAddress },
    explorer: explorer ?? '',
  }

  async function send({ info, provider }: Wallet, due: string, units: number): Promise<void> {
    const wallet = info.name || words.say('walletUnnamed')
    const show = (now: Attempt['now']) => setAttempt({ wallet, now })
    setProblem(null)
    const result = await payFrom(provider, to, { due, decimals: units }, show)
    show(result.ok ? 'sent' : result.problem)
    if (!result.ok) return
    await onSent(result.sent, due, networkId).catch((error: unknown) =>
      setProblem(explainAction(words, error) ?? problemText(words, error)),
    )
  }
  // What was sent is not sent again.
  const isUnderWay =
    attempt !== null && ['connecting', 'switching', 'confirming', 'sent'].includes(attempt.now)
  return (
    <div class="actions">
      {wallets.map((wallet) => (
        <button
          key={wallet.info.uuid}
          type="button"
          aria-disabled={isUnderWay || amount === null}
          onClick={() => isUnderWay || amount === null || send(wallet, amount, decimals)}
        >
          {words.say('walletSend', {
            amount: amount === null ? '…' : words.money(amount, asset),
            wallet: wallet.info.name || words.say('walletUnnamed'),
          })}
        </button>
      ))}
      {attempt !== null && problem === null && (
        <Callout tone={isUnderWay ? 'calm' : 'warn'} isNews>
          {words.say(STEPS[attempt.now], {
            ...{ wallet: attempt.wallet, network: name, token: asset, coin: coinSymbol },
          })}
        </Callout>
      )}
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
