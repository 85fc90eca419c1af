import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Role } from '../../../core/access/roles.ts'
import { ActionButton } from '../forms/ActionButton.tsx'
import { Field } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { Moment } from '../parts/Moment.tsx'
import { usePage } from '../parts/page.ts'
import { roleName } from '../parts/roleName.ts'
import { Failed } from '../parts/States.tsx'
import { getData, merchantApi, request } from '../session/request.ts'
import { RoleField } from './RoleField.tsx'

interface InvitationJson {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly createdAt: string
}

/** Invitations that can still be accepted, and a form that sends one. */
export function Invitations({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const path = merchantApi(merchantId, '/v1/invitations')
  const [sentTo, setSentTo] = useState<string | null>(null)
  const open = useQuery({
    queryKey: ['invitations', merchantId],
    queryFn: () => getData<readonly InvitationJson[]>(path),
  })

  async function invite(fields: FormData): Promise<void> {
    const email = String(fields.get('email'))
    await request('POST', path, { email, role: String(fields.get('role')) })
    setSentTo(email)
    await open.refetch()
  }
  async function revoke(id: string): Promise<void> {
    await request('DELETE', `${path}/${id}`)
    await open.refetch()
  }

  return (
    <section class="card" aria-labelledby="invited">
      <h2 id="invited">{words.say('membersInvited')}</h2>
      {open.isError && <Failed error={open.error} onRetry={() => open.refetch()} />}
      {open.data?.length === 0 && <p class="hint">{words.say('membersNoneInvited')}</p>}
      <ul class="lines">
        {open.data?.map(({ id, email, role, createdAt }) => (
          <li key={id}>
            <span class="long">
              {email}{' '}
              <small class="hint">
                {roleName(words, role)} <Moment at={createdAt} />
              </small>
            </span>
            <ActionButton label={words.say('membersRevoke')} onAction={() => revoke(id)} />
          </li>
        ))}
      </ul>
      {sentTo && <p role="status">{words.say('membersSent', { email: sentTo })}</p>}
      <div class="narrow">
        <Form action={words.say('membersInvite')} onSend={invite}>
          <Field label={words.say('email')} name="email" type="email" autocomplete="off" required />
          <RoleField initial="reader" />
        </Form>
      </div>
    </section>
  )
}
