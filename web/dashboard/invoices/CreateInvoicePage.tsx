import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { DecimalField } from '../forms/DecimalField.tsx'
import { Form } from '../forms/Form.tsx'
import { TokenOptions } from '../forms/TokenOptions.tsx'
import { Empty } from '../parts/Empty.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { explainAction } from '../recoveries/explain.ts'
import { merchantApi, request } from '../session/request.ts'

const HOUR_MS = 3_600_000
/** How long an invoice can be paid, in hours; empty for without end. */
const TIMES = ['', '1', '24', '168', '720'] as const

/** What was sent for a form as it was filled in. */
interface Attempt {
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
  readonly key: string
}

type CreateInvoicePageProps = Pick<PlaceProps, 'merchantId' | 'role'>

/** A new invoice. Only the amount is required. */
export function CreateInvoicePage({ merchantId, role }: CreateInvoicePageProps) {
  const { words } = usePage()
  const { route } = useLocation()
  const before = useRef<Attempt | null>(null)
  const list = placePath(merchantId, 'invoices')
  if (!may(role, 'createInvoice')) {
    return <Empty title={words.say('notFoundTitle')} next={words.say('noPermission')} />
  }

  async function create(fields: FormData): Promise<void> {
    const path = merchantApi(merchantId, '/v1/invoices')
    const text = JSON.stringify([...fields])
    // The same form sent twice, because the answer to the first was lost, is one invoice.
    const attempt =
      before.current?.text === text
        ? before.current
        : { text, body: bodyOf(fields, Date.now()), key: crypto.randomUUID() }
    before.current = attempt
    const { data } = await request<{ data: InvoiceJson }>('POST', path, attempt.body, {
      'idempotency-key': attempt.key,
    })
    route(placePath(merchantId, 'invoices', data.id))
  }
  return (
    <>
      <p>
        <a href={list}>{words.say('back')}</a>
      </p>
      <h1>{words.say('newInvoice')}</h1>
      <div class="card narrow">
        <Form
          action={words.say('createInvoice')}
          onSend={create}
          explain={(error) => explainAction(words, error)}
        >
          <AmountFields />
          <label class="field">
            <span>{words.say('order')}</span>
            <input class="wide" name="externalRef" maxLength={255} autocomplete="off" />
            <small class="hint">{words.say('newInvoiceOrderHint')}</small>
          </label>
          <label class="field">
            <span>{words.say('expiresIn')}</span>
            <select class="wide" name="hours">
              {TIMES.map((hours) => (
                <option key={hours} value={hours}>
                  {hours === ''
                    ? words.say('neverExpires')
                    : words.say('nHours', { n: Number(hours) })}
                </option>
              ))}
            </select>
          </label>
          <MetadataFields />
        </Form>
      </div>
    </>
  )
}

function AmountFields() {
  const { words, tokens } = usePage()
  return (
    <div class="pair">
      <DecimalField label={words.say('amount')} name="amountExpected" required />
      <label class="field">
        <span>{words.say('token')}</span>
        <select class="wide" name="tokenSymbol">
          <TokenOptions tokens={tokens} />
        </select>
      </label>
    </div>
  )
}

const MOST_LINES = 10

/** What the invoice is to remember, as pairs. */
function MetadataFields() {
  const { words } = usePage()
  const [lines, setLines] = useState(0)
  return (
    <fieldset class="field">
      <legend>{words.say('newInvoiceMetadata')}</legend>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} class="pair">
          <input name="key" class="wide" aria-label={words.say('key')} maxLength={60} />
          <input
            name="value"
            class="wide"
            aria-label={words.say('metadataValue')}
            maxLength={200}
          />
        </div>
      ))}
      {lines < MOST_LINES && (
        <button type="button" class="quiet" onClick={() => setLines(lines + 1)}>
          {words.say('addMetadata')}
        </button>
      )}
    </fieldset>
  )
}

/** The form as the API takes it; fields that were left empty are left out. */
function bodyOf(fields: FormData, now: number): Readonly<Record<string, unknown>> {
  const text = (name: string) => String(fields.get(name) ?? '').trim()
  const keys = fields.getAll('key').map(String)
  const values = fields.getAll('value').map(String)
  const pairs = keys.map((key, line) => [key.trim(), values[line] ?? ''] as const)
  const metadata = Object.fromEntries(pairs.filter(([key]) => key !== ''))
  const hours = Number(text('hours'))
  return {
    amountExpected: text('amountExpected'),
    tokenSymbol: text('tokenSymbol'),
    ...(text('externalRef') === '' ? {} : { externalRef: text('externalRef') }),
    ...(hours === 0 ? {} : { expiresAt: new Date(now + hours * HOUR_MS).toISOString() }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}
