import { useQuery } from '@tanstack/preact-query'
import type { Role } from '../../../core/access/roles.ts'
import { ActionButton } from '../forms/ActionButton.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { Moment } from '../parts/Moment.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { roleLabel } from '../parts/roleName.ts'
import { Table } from '../parts/Table.tsx'
import { toastDone } from '../parts/Toasts.tsx'
import { getData, merchantApi, request } from '../session/request.ts'

interface InvitationJson {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly createdAt: string
}

/** Invitations that can still be accepted. */
export function Invitations({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const path = merchantApi(merchantId, '/v1/invitations')
  const open = useQuery({
    queryKey: ['invitations', merchantId],
    queryFn: () => getData<readonly InvitationJson[]>(path),
  })

  async function revoke(id: string): Promise<void> {
    await request('DELETE', `${path}/${id}`)
    await open.refetch()
    toastDone(words, 'audit_revokeInvitation', placePath(merchantId, 'members'))
  }

  return (
    <section class="section below" aria-labelledby="invited">
      <h2 id="invited">{words.say('membersInvited')}</h2>
      <Loaded query={open} rows={1}>
        {(found) =>
          found.length === 0 ? (
            <p class="hint">{words.say('membersNoneInvited')}</p>
          ) : (
            <Table
              label={words.say('membersInvited')}
              columns={[
                {
                  ...{ name: words.say('email'), kind: 'long', phone: 'start' },
                  cell: ({ email }) => email,
                },
                {
                  ...{ name: words.say('role'), phone: 'end' },
                  cell: ({ role }) => roleLabel(words, role),
                },
                {
                  ...{ name: words.say('created'), phone: 'below' },
                  cell: ({ createdAt }) => <Moment at={createdAt} />,
                },
                {
                  ...{ name: words.say('devActions'), kind: 'actions', phone: 'whole' },
                  cell: ({ id }) => (
                    <ActionButton
                      class="quiet risky"
                      label={words.say('membersRevoke')}
                      onAction={() => revoke(id)}
                    />
                  ),
                },
              ]}
              rows={found}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
    </section>
  )
}
