import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { InvoiceJson } from '../../../core/invoice/present.ts'
import { Form } from '../forms/Form.tsx'
import { Empty } from '../parts/Empty.tsx'
import { Head } from '../parts/Head.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { toast } from '../parts/Toasts.tsx'
import { explainAction } from '../recoveries/explain.ts'
import { merchantApi, request } from '../session/request.ts'
import { bodyOf, type InvoiceDraft, readDraft } from './draft.ts'
import { InvoiceFields } from './InvoiceFields.tsx'
import { InvoicePreview } from './InvoicePreview.tsx'

/** What was sent for a form as it was filled in. */
interface Attempt {
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
  readonly key: string
}

type CreateInvoicePageProps = Pick<PlaceProps, 'merchantId' | 'role'>

/** A new invoice, beside what its payer will see. */
export function CreateInvoicePage({ merchantId, role }: CreateInvoicePageProps) {
  const { words, tokens } = usePage()
  const { route } = useLocation()
  const before = useRef<Attempt | null>(null)
  const [draft, setDraft] = useState<InvoiceDraft | null>(null)
  if (!may(role, 'createInvoice')) {
    return <Empty title={words.say('notFoundTitle')} next={words.say('noPermission')} />
  }
  const read = (fields: FormData) => readDraft(fields, tokens, Date.now())

  async function create(fields: FormData): Promise<void> {
    const path = merchantApi(merchantId, '/v1/invoices')
    const text = JSON.stringify([...fields])
    // The same form sent twice, because the answer to the first was lost, is one invoice.
    const attempt =
      before.current?.text === text
        ? before.current
        : { text, body: bodyOf(read(fields)), key: crypto.randomUUID() }
    before.current = attempt
    const { data } = await request<{ data: InvoiceJson }>('POST', path, attempt.body, {
      'idempotency-key': attempt.key,
    })
    route(placePath(merchantId, 'invoices', data.id))
    toast(words.say('invoiceCreatedToast', { reference: data.reference }), {
      href: placePath(merchantId, 'invoices', 'new'),
      name: words.say('newInvoice'),
    })
  }
  return (
    <>
      <Head
        title={words.say('newInvoice')}
        back={{ href: placePath(merchantId, 'invoices'), name: words.say('back') }}
      />
      <div class="beside">
        <div class="card">
          <Form
            action={words.say('createInvoice')}
            onSend={create}
            onChange={(fields) => setDraft(read(fields))}
            explain={(error) => explainAction(words, error)}
          >
            <InvoiceFields />
          </Form>
        </div>
        <InvoicePreview {...{ merchantId, draft }} />
      </div>
    </>
  )
}
