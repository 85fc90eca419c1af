import { useState } from 'preact/hooks'
import type { Role } from '../../../core/access/roles.ts'
import { Confirm } from '../forms/Confirm.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { toastDone } from '../parts/Toasts.tsx'
import { merchantApi, request } from '../session/request.ts'
import { RoleField } from './RoleField.tsx'

export interface MemberJson {
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly hasSecondFactor: boolean
  readonly createdAt: string
}

interface MemberActionsProps {
  readonly merchantId: string
  readonly member: MemberJson
  /** The last owner stays one. */
  readonly isLastOwner: boolean
  readonly onChanged: () => Promise<unknown>
}

/** What an owner can do about a member. */
export function MemberActions(props: MemberActionsProps) {
  const { merchantId, member, isLastOwner, onChanged } = props
  const { words } = usePage()
  const { personId, name, email, role } = member
  const [chosen, setChosen] = useState(role)
  const [isRequested, setRequested] = useState(false)
  const path = merchantApi(merchantId, `/v1/members/${personId}`)

  async function change(method: 'PATCH' | 'DELETE', body?: { readonly role: Role }): Promise<void> {
    const { data } = await request<{ data: { isInForce: boolean } }>(method, path, body)
    setRequested(!data.isInForce)
    await onChanged()
    if (!data.isInForce) return
    const action = method === 'DELETE' ? 'audit_removeMember' : 'audit_changeMember'
    toastDone(words, action, placePath(merchantId, 'members'))
  }
  if (isLastOwner) return <small class="hint">{words.say('refusal_last_owner')}</small>
  return (
    <>
      <div class="actions">
        <Confirm
          label={words.say('membersChange')}
          title={words.say('membersChangeTitle', { name })}
          action={words.say('membersChange')}
          isSafe
          onConfirm={() => change('PATCH', { role: chosen })}
        >
          <p class="hint long">{email}</p>
          <RoleField initial={role} onChoose={setChosen} />
        </Confirm>
        <Confirm
          label={words.say('remove')}
          title={words.say('membersRemoveTitle', { name })}
          action={words.say('removeMember', { name })}
          onConfirm={() => change('DELETE')}
        >
          <p class="hint long">{email}</p>
          <p>{words.say('membersRemoveNext', { name })}</p>
        </Confirm>
      </div>
      {isRequested && <small role="status">{words.say('membersRequested')}</small>}
    </>
  )
}
