import { useState } from 'preact/hooks'
import type { Role } from '../../../core/access/roles.ts'
import { Confirm } from '../forms/Confirm.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { roleName } from '../parts/roleName.ts'
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

interface MemberProps {
  readonly merchantId: string
  readonly member: MemberJson
  readonly mayChange: boolean
  /** The last owner stays one. */
  readonly isLastOwner: boolean
  readonly onChanged: () => Promise<unknown>
}

/** One member, their role, and the actions of an owner. */
export function Member({ merchantId, member, mayChange, isLastOwner, onChanged }: MemberProps) {
  const { words } = usePage()
  const { personId, name, email, role, hasSecondFactor, createdAt } = member
  const [chosen, setChosen] = useState(role)
  const [isRequested, setRequested] = useState(false)
  const path = merchantApi(merchantId, `/v1/members/${personId}`)

  async function change(method: 'PATCH' | 'DELETE', body?: { readonly role: Role }): Promise<void> {
    const { data } = await request<{ data: { isInForce: boolean } }>(method, path, body)
    setRequested(!data.isInForce)
    await onChanged()
  }
  return (
    <li>
      <span class="long">
        {name} <small class="hint">{email}</small> <Moment at={createdAt} />
      </span>
      <Pill
        tone={hasSecondFactor ? 'good' : 'calm'}
        text={words.say(hasSecondFactor ? 'factorIsOn' : 'factorIsOff')}
      />
      <span>{roleName(words, role)}</span>
      {isRequested && <span role="status">{words.say('membersRequested')}</span>}
      {mayChange && isLastOwner && <small class="hint">{words.say('refusal_last_owner')}</small>}
      {mayChange && !isLastOwner && (
        <span class="actions">
          <Confirm
            label={words.say('membersChange')}
            title={words.say('membersChangeTitle', { name })}
            action={words.say('membersChange')}
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
        </span>
      )}
    </li>
  )
}
