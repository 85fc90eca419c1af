import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import type { Role } from '../../../core/access/roles.ts'
import { Form } from '../forms/Form.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { roleName } from '../parts/roleName.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { signOut } from '../session/auth.ts'
import { ME, useMe } from '../session/me.ts'
import { Problem, request } from '../session/request.ts'
import { Gate } from './Gate.tsx'
import { EmailSent, SignUpForm } from './SignUp.tsx'

interface Offer {
  readonly merchantId: string
  readonly merchantName: string
  readonly email: string
  readonly role: Role
  readonly hasAccount: boolean
}

/** The page of an invitation's link; its token is in the fragment, which no log contains. */
export function Invitation() {
  const { words } = usePage()
  const [token] = useState(() => location.hash.slice(1))
  const offer = useQuery({
    queryKey: ['invitation', token],
    queryFn: async () => {
      const path = '/dashboard/api/invitations/look'
      return (await request<{ data: Offer }>('POST', path, { token })).data
    },
  })
  if (offer.isPending) {
    return (
      <Gate title={words.say('loading')}>
        <Skeleton rows={4} />
      </Gate>
    )
  }
  if (offer.isError) {
    const isGone = offer.error instanceof Problem && offer.error.status === 404
    if (isGone) {
      return (
        <Gate title={words.say('invitationGoneTitle')}>
          <p>{words.say('invitationGoneNext')}</p>
        </Gate>
      )
    }
    return (
      <Gate title={words.say('failedTitle')}>
        <Failed error={offer.error} onRetry={() => offer.refetch()} />
      </Gate>
    )
  }
  return <Answer offer={offer.data} token={token} />
}

function Answer({ offer, token }: { readonly offer: Offer; readonly token: string }) {
  const { words } = usePage()
  const me = useMe()
  const [isSent, setSent] = useState(false)
  const { email, merchantName } = offer
  if (isSent) return <EmailSent email={email} />
  return (
    <Gate title={words.say('invitationTitle', { merchant: merchantName })}>
      <p>{words.say('invitationHint', { role: roleName(words, offer.role), email })}</p>
      {me.data ? (
        <Join offer={offer} token={token} signedInAs={me.data.person.email} />
      ) : offer.hasAccount ? (
        <>
          <p>{words.say('signInFirst', { email })}</p>
          <a class="button main wide" href="/dashboard/sign-in">
            {words.say('toSignIn')}
          </a>
        </>
      ) : (
        <SignUpForm email={email} token={token} onSent={() => setSent(true)} />
      )}
    </Gate>
  )
}

interface JoinProps {
  readonly offer: Offer
  readonly token: string
  readonly signedInAs: string
}

/** For a signed-in user: one button, or a hint that the invitation is for another address. */
function Join({ offer, token, signedInAs }: JoinProps) {
  const { words } = usePage()
  const client = useQueryClient()
  const { route } = useLocation()
  if (signedInAs !== offer.email) {
    return (
      <Form
        action={words.say('signOut')}
        onSend={async () => {
          await signOut()
          await client.resetQueries({ queryKey: ME })
        }}
      >
        <p>{words.say('otherAccount', { email: offer.email })}</p>
      </Form>
    )
  }
  return (
    <Form
      action={words.say('acceptInvitation', { merchant: offer.merchantName })}
      onSend={async () => {
        await request('POST', '/dashboard/api/invitations/accept', { token })
        await client.resetQueries({ queryKey: ME })
        route(placePath(offer.merchantId, 'overview'))
      }}
    >
      {null}
    </Form>
  )
}
