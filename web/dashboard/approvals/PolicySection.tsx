import { useQuery } from '@tanstack/preact-query'
import type { PolicyJson } from '../../../core/merchant/approval.ts'
import { DecimalField } from '../forms/DecimalField.tsx'
import { Form } from '../forms/Form.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import { type PlaceProps, placePath } from '../parts/places.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { toastDone } from '../parts/Toasts.tsx'
import { explainAction } from '../recoveries/explain.ts'
import { useReloadMerchant } from '../session/me.ts'
import { getData, merchantApi, request } from '../session/request.ts'
import { ApprovalInbox } from './ApprovalInbox.tsx'
import { ApprovedRecipients } from './ApprovedRecipients.tsx'
import { approvalsQuery } from './load.ts'
import { PastRequests } from './PastRequests.tsx'
import { rulesText } from './words.ts'

/** Approval rules, pending requests and decisions. */
export function PolicySection({ merchantId, role }: Pick<PlaceProps, 'merchantId' | 'role'>) {
  const { words } = usePage()
  const reload = useReloadMerchant(merchantId)
  const path = merchantApi(merchantId, '/v1/settings/approvals')
  const policy = useQuery({
    queryKey: ['approval-policy', merchantId],
    queryFn: () => getData<PolicyJson>(path),
  })
  const requests = useQuery(approvalsQuery(merchantId))
  const past = requests.data?.filter(({ status }) => status !== 'open') ?? []

  async function save(fields: FormData): Promise<void> {
    const above = String(fields.get('refundsAbove') ?? '').trim()
    const rules = { recipient: fields.has('recipient'), refundsAbove: above === '' ? null : above }
    const { data } = await request<{ data: { isInForce: boolean } }>('POST', path, rules)
    await reload()
    toastDone(
      words,
      data.isInForce ? 'policySaved' : 'policyRequested',
      placePath(merchantId, 'settings', 'approvals'),
    )
  }
  return (
    <>
      <section class="card narrow" aria-labelledby="policy">
        <h2 id="policy">{words.say('policyTitle')}</h2>
        <p class="hint">{words.say('policyHint')}</p>
        {policy.isPending && <Skeleton rows={3} />}
        {policy.isError && <Failed error={policy.error} onRetry={() => policy.refetch()} />}
        {policy.data &&
          (may(role, 'changeApprovalPolicy') ? (
            <Form
              action={words.say('policySave')}
              onSend={save}
              explain={(error) => explainAction(words, error)}
            >
              <Rules policy={policy.data} />
            </Form>
          ) : (
            <p class="hint">
              {words.say('policyReadOnly', { rules: rulesText(words, policy.data) })}
            </p>
          ))}
        {past.length > 0 && <PastRequests requests={past} />}
      </section>
      {policy.data?.recipient && <ApprovedRecipients merchantId={merchantId} role={role} />}
      <ApprovalInbox merchantId={merchantId} role={role} />
    </>
  )
}

function Rules({ policy }: { readonly policy: PolicyJson }) {
  const { words } = usePage()
  return (
    <>
      <label class="check">
        <input type="checkbox" name="recipient" defaultChecked={policy.recipient} />
        <span>{words.say('policyRecipient')}</span>
      </label>
      <DecimalField
        label={words.say('policyRefunds')}
        hint={words.say('policyRefundsHint')}
        name="refundsAbove"
        initial={policy.refundsAbove ?? ''}
      />
    </>
  )
}
