import { useQuery } from '@tanstack/preact-query'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { getData, merchantApi } from '../session/request.ts'
import { Invitations } from './Invitations.tsx'
import { Member, type MemberJson } from './Member.tsx'

/** Members and invitations. */
export function MembersPage({ merchantId, role }: PlaceProps) {
  const { words } = usePage()
  const members = useQuery({
    queryKey: ['members', merchantId],
    queryFn: () => getData<readonly MemberJson[]>(merchantApi(merchantId, '/v1/members')),
  })
  const owners = members.data?.filter((member) => member.role === 'owner').length ?? 0
  return (
    <>
      <h1>{words.say('members')}</h1>
      <section class="card" aria-labelledby="people">
        <h2 id="people">{words.say('members')}</h2>
        {members.isPending && <Skeleton rows={3} />}
        {members.isError && <Failed error={members.error} onRetry={() => members.refetch()} />}
        <ul class="lines people">
          {members.data?.map((member) => (
            <Member
              key={member.personId}
              merchantId={merchantId}
              member={member}
              mayChange={may(role, 'changeMember')}
              isLastOwner={member.role === 'owner' && owners < 2}
              onChanged={() => members.refetch()}
            />
          ))}
        </ul>
      </section>
      {may(role, 'inviteMember') ? (
        <Invitations merchantId={merchantId} />
      ) : (
        <p class="hint">{words.say('membersOwnersOnly')}</p>
      )}
    </>
  )
}
