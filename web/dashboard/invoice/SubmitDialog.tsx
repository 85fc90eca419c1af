import { useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { pasted } from '../../../core/base/text.ts'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { Dialog } from '../forms/Dialog.tsx'
import { Form } from '../forms/Form.tsx'
import { HashField } from '../forms/HashField.tsx'
import { Callout } from '../parts/Callout.tsx'
import { type DashboardWords, offered, usePage } from '../parts/page.ts'
import { explainAction } from '../recoveries/explain.ts'
import { merchantApi, request } from '../session/request.ts'

interface SubmitDialogProps {
  readonly merchantId: string
  readonly invoice: InvoiceJson
  readonly onClose: () => void
}

interface Submission {
  readonly status: 'not_found' | 'reverted' | 'mined'
  /** False where not all that could hold money could be read; only of what is mined. */
  readonly complete?: boolean
  readonly transfers: readonly {
    readonly outcome: 'recorded' | 'known' | 'unsupported_token'
    readonly tokenAddress: string
  }[]
}

/** Submits the hash of a payment that was not detected, and shows what was found. */
export function SubmitDialog({ merchantId, invoice, onClose }: SubmitDialogProps) {
  const { words, networks } = usePage()
  const client = useQueryClient()
  const [found, setFound] = useState<Submission | null>(null)

  async function submit(fields: FormData): Promise<void> {
    // What was said of the hash before is not said of this one.
    setFound(null)
    const body = {
      networkId: String(fields.get('networkId')),
      txHash: pasted(String(fields.get('txHash'))),
    }
    const path = merchantApi(merchantId, `/v1/invoices/${invoice.id}/transactions`)
    const { data } = await request<{ data: Submission }>('POST', path, body)
    setFound(data)
    await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === merchantId })
  }
  return (
    <Dialog title={words.say('submitTitle', { reference: invoice.reference })} onClose={onClose}>
      <p class="hint">{words.say('submitHint')}</p>
      <Form
        action={words.say('submitHash')}
        onSend={submit}
        explain={(error) => explainAction(words, error)}
      >
        <label class="field">
          <span>{words.say('network')}</span>
          <select class="wide" name="networkId">
            {offered(networks).map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <HashField />
      </Form>
      {found !== null && (
        <Callout tone={hasBrought(found) ? 'good' : 'warn'} isNews>
          {sentenceOn(found, words)}
        </Callout>
      )}
    </Dialog>
  )
}

/** Whether the invoice has something by it, now or before. */
function hasBrought({ transfers }: Submission): boolean {
  return transfers.some(({ outcome }) => outcome !== 'unsupported_token')
}

function sentenceOn({ status, transfers, complete }: Submission, words: DashboardWords): string {
  if (status === 'not_found') return words.say('submitNotFound')
  if (status === 'reverted') return words.say('submitReverted')
  const outcomes = transfers.map(({ outcome }) => outcome)
  if (outcomes.includes('recorded')) return words.say('submitRecorded')
  if (outcomes.includes('known')) return words.say('submitKnown')
  const [unsupported] = transfers
  if (unsupported === undefined)
    return words.say(complete === false ? 'submitNotAll' : 'submitNothing')
  return words.say('submitUnsupported', { token: unsupported.tokenAddress })
}
