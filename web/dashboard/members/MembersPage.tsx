import { useQuery } from '@tanstack/preact-query'
import { Head } from '../parts/Head.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { Moment } from '../parts/Moment.tsx'
import { may } from '../parts/may.ts'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { roleLabel } from '../parts/roleName.ts'
import { Table } from '../parts/Table.tsx'
import { getData, merchantApi } from '../session/request.ts'
import { Invitations } from './Invitations.tsx'
import { Invite } from './Invite.tsx'
import { MemberActions, type MemberJson } from './MemberActions.tsx'

/** Members and invitations. */
export function MembersPage({ merchantId, role }: PlaceProps) {
  const { words } = usePage()
  const members = useQuery({
    queryKey: ['members', merchantId],
    queryFn: () => getData<readonly MemberJson[]>(merchantApi(merchantId, '/v1/members')),
  })
  const mayInvite = may(role, 'inviteMember')
  return (
    <>
      <Head
        title={words.say('members')}
        {...(mayInvite ? {} : { hint: words.say('membersOwnersOnly') })}
      >
        {mayInvite && <Invite merchantId={merchantId} />}
      </Head>
      <Loaded query={members} rows={3}>
        {(found) => (
          <MemberTable
            {...{ merchantId, role }}
            members={found}
            onChanged={() => members.refetch()}
          />
        )}
      </Loaded>
      {mayInvite && <Invitations merchantId={merchantId} />}
    </>
  )
}

interface MemberTableProps extends Pick<PlaceProps, 'merchantId' | 'role'> {
  readonly members: readonly MemberJson[]
  readonly onChanged: () => Promise<unknown>
}

function MemberTable({ merchantId, role, members, onChanged }: MemberTableProps) {
  const { words } = usePage()
  const owners = members.filter((member) => member.role === 'owner').length
  return (
    <Table
      label={words.say('members')}
      columns={[
        {
          ...{ name: words.say('itsName'), kind: 'long', phone: 'start' },
          cell: ({ name, email }) => (
            <>
              {name}
              <small class="hint block">{email}</small>
            </>
          ),
        },
        {
          ...{ name: words.say('role'), phone: 'end' },
          cell: (member) => roleLabel(words, member.role),
        },
        {
          ...{ name: words.say('status'), phone: 'below' },
          cell: ({ hasSecondFactor }) => (
            <Pill
              tone={hasSecondFactor ? 'good' : 'calm'}
              text={words.say(hasSecondFactor ? 'factorIsOn' : 'factorIsOff')}
            />
          ),
        },
        {
          ...{ name: words.say('created'), phone: 'below' },
          cell: ({ createdAt }) => <Moment at={createdAt} />,
        },
        {
          ...{ name: words.say('devActions'), kind: 'actions', phone: 'whole' },
          cell: (member) =>
            may(role, 'changeMember') && (
              <MemberActions
                {...{ merchantId, member, onChanged }}
                isLastOwner={member.role === 'owner' && owners < 2}
              />
            ),
        },
      ]}
      rows={members}
      keyOf={({ personId }) => personId}
    />
  )
}
