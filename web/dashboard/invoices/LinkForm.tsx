import { useRef } from 'preact/hooks'
import { MAX_USES } from '../../../core/checkout/link.ts'
import { DecimalField } from '../forms/DecimalField.tsx'
import { Field } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { TokenOptions } from '../forms/TokenOptions.tsx'
import { usePage } from '../parts/page.ts'
import { toastDone } from '../parts/Toasts.tsx'
import { merchantApi, request } from '../session/request.ts'

interface LinkFormProps {
  readonly merchantId: string
  readonly onMade: () => Promise<unknown>
}

/** What was sent for a form as it was filled in. */
interface Attempt {
  readonly text: string
  readonly priceKey: string
  readonly linkKey: string
}

/** A new link with a price of its own. */
export function LinkForm({ merchantId, onMade }: LinkFormProps) {
  const { words, tokens } = usePage()
  const dollars = tokens.filter(({ currency }) => currency === 'USD')
  const before = useRef<Attempt | null>(null)

  async function make(fields: FormData): Promise<void> {
    const text = JSON.stringify([...fields])
    // The same form sent twice, because an answer to the first was lost, is one link.
    const attempt =
      before.current?.text === text
        ? before.current
        : { text, priceKey: crypto.randomUUID(), linkKey: crypto.randomUUID() }
    before.current = attempt
    const create = (path: string, body: unknown, key: string) =>
      request<{ data: { readonly id: string; readonly url?: string } }>(
        'POST',
        merchantApi(merchantId, path),
        body,
        {
          'idempotency-key': key,
        },
      )
    const { data: price } = await create('/v1/prices', priceOf(fields), attempt.priceKey)
    const link = { price: price.id, ...limitsOf(fields) }
    const made = await create('/v1/payment-links', link, attempt.linkKey)
    await onMade()
    toastDone(words, 'audit_createPaymentLink', made.data.url ?? location.pathname)
  }
  return (
    <Form action={words.say('linkAddDo')} onSend={make}>
      <div class="pair">
        <DecimalField label={words.say('amount')} name="amount" required />
        <label class="field">
          <span>{words.say('token')}</span>
          <select class="wide" name="tokens">
            <option value={dollars.map(({ symbol }) => symbol).join()}>
              {words.say('linkAnyToken')}
            </option>
            <TokenOptions tokens={tokens} />
          </select>
        </label>
      </div>
      <Field
        label={words.say('description')}
        hint={words.say('linkForHint')}
        name="description"
        autocomplete="off"
      />
      <div class="pair">
        <label class="field">
          <span>{words.say('linkLimit')}</span>
          <input class="wide figure" type="number" name="usesLimit" min={1} max={MAX_USES} />
        </label>
        <label class="field">
          <span>{words.say('to')}</span>
          <input class="wide" type="date" name="endsOn" />
        </label>
      </div>
      <small class="hint">{words.say('linkLimitHint')}</small>
    </Form>
  )
}

const textIn = (fields: FormData, name: string) => String(fields.get(name) ?? '').trim()

function priceOf(fields: FormData): Readonly<Record<string, unknown>> {
  const description = textIn(fields, 'description')
  return {
    amount: textIn(fields, 'amount'),
    tokens: textIn(fields, 'tokens').split(','),
    ...(description === '' ? {} : { description }),
  }
}

/** Omits empty fields; the day ends in the reader's time zone. */
function limitsOf(fields: FormData): Readonly<Record<string, unknown>> {
  const [limit, day] = [textIn(fields, 'usesLimit'), textIn(fields, 'endsOn')]
  return {
    ...(limit === '' ? {} : { usesLimit: Number(limit) }),
    ...(day === '' ? {} : { endsAt: new Date(`${day}T23:59:59`).toISOString() }),
  }
}
