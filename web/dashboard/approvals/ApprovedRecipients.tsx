import { useQuery } from '@tanstack/preact-query'
import { ActionButton } from '../forms/ActionButton.tsx'
import { Field } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { Moment } from '../parts/Moment.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { Failed } from '../parts/States.tsx'
import { toastDone } from '../parts/Toasts.tsx'
import { FullAddress } from '../recipient/FullAddress.tsx'
import { explainAction } from '../recoveries/explain.ts'
import { getData, merchantApi, request } from '../session/request.ts'

interface RecipientJson {
  readonly address: string
  readonly addedBy: string
  /** When it becomes active; null until it is approved. */
  readonly usableFrom: string | null
}

/** The payout addresses that invoices and x402 payments may use under dual approval. */
export function ApprovedRecipients({ merchantId, role }: Pick<PlaceProps, 'merchantId' | 'role'>) {
  const { words } = usePage()
  const path = merchantApi(merchantId, '/v1/settings/approved-recipients')
  const found = useQuery({
    queryKey: ['approved-recipients', merchantId],
    queryFn: () => getData<readonly RecipientJson[]>(path),
  })

  const here = placePath(merchantId, 'settings', 'approvals')

  async function add(fields: FormData): Promise<void> {
    const body = { address: String(fields.get('address')).trim() }
    const { data } = await request<{ data: { isInForce: boolean } }>('POST', path, body)
    await found.refetch()
    toastDone(words, data.isInForce ? 'approvedSaved' : 'approvedRequested', here)
  }
  async function remove(address: string): Promise<void> {
    await request('DELETE', `${path}/${address}`)
    await found.refetch()
    toastDone(words, 'audit_removeApprovedRecipient', here)
  }
  return (
    <section class="card narrow" aria-labelledby="approved">
      <h2 id="approved">{words.say('approvedTitle')}</h2>
      <p class="hint">{words.say('approvedHint')}</p>
      {found.isError && <Failed error={found.error} onRetry={() => found.refetch()} />}
      <ul class="lines">
        {found.data?.map(({ address, addedBy, usableFrom }) => (
          <li key={address}>
            <span class="long">
              <FullAddress address={address} />{' '}
              <small class="hint">
                {addedBy} ·{' '}
                {usableFrom === null ? (
                  words.say('approvedAlone')
                ) : (
                  <>
                    {words.say('approvedFrom')} <Moment at={usableFrom} />
                  </>
                )}
              </small>
            </span>
            {may(role, 'removeApprovedRecipient') && (
              <ActionButton label={words.say('remove')} onAction={() => remove(address)} />
            )}
          </li>
        ))}
      </ul>
      {may(role, 'addApprovedRecipient') && (
        <Form
          action={words.say('addAddress')}
          onSend={add}
          explain={(error) => explainAction(words, error)}
        >
          <Field label={words.say('newAddress')} name="address" autocomplete="off" required />
        </Form>
      )}
    </section>
  )
}
