import { useState } from 'preact/hooks'
import { DecimalField } from '../forms/DecimalField.tsx'
import { Field } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { Hash } from '../parts/Hash.tsx'
import { usePage } from '../parts/page.ts'
import { merchantApi, request } from '../session/request.ts'
import type { PlayChain } from './sandboxJson.ts'

interface FaucetProps {
  readonly merchantId: string
  readonly chains: readonly PlayChain[]
}

interface Made {
  readonly txHash: string
  readonly networkId: string
  readonly amount: string
  readonly tokenSymbol: string
}

/** Tokens of a development chain for any account. */
export function Faucet({ merchantId, chains }: FaucetProps) {
  const { words } = usePage()
  const [made, setMade] = useState<Made | null>(null)
  const tokens = [...new Set(chains.flatMap((chain) => chain.tokens))]

  async function send(fields: FormData): Promise<void> {
    const text = (name: string) => String(fields.get(name)).trim()
    const { data } = await request<{ data: Made }>(
      'POST',
      merchantApi(merchantId, '/v1/sandbox/faucet'),
      {
        address: text('address'),
        networkId: text('networkId'),
        tokenSymbol: text('tokenSymbol'),
        amount: text('amount'),
      },
    )
    setMade(data)
  }

  if (chains.length === 0) return null
  return (
    <section class="card" aria-labelledby="faucet">
      <h2 id="faucet">{words.say('boxFaucet')}</h2>
      <p class="hint">{words.say('boxFaucetHint')}</p>
      <Form action={words.say('boxFaucetDo')} onSend={send}>
        <Field label={words.say('boxAddress')} name="address" autocomplete="off" required />
        <DecimalField label={words.say('amount')} name="amount" initial="100" required />
        <div class="field">
          <label for="faucet-token">{words.say('token')}</label>
          <select id="faucet-token" name="tokenSymbol" class="wide">
            {tokens.map((symbol) => (
              <option key={symbol} value={symbol}>
                {symbol}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="faucet-network">{words.say('network')}</label>
          <select id="faucet-network" name="networkId" class="wide">
            {chains.map(({ networkId, name }) => (
              <option key={networkId} value={networkId}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </Form>
      {made && (
        <p role="status">
          {words.say('boxFaucetDone', { amount: words.money(made.amount, made.tokenSymbol) })}{' '}
          <Hash value={made.txHash} network={made.networkId} kind="tx" />
        </p>
      )}
    </section>
  )
}
