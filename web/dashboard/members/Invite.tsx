import { useQueryClient } from '@tanstack/preact-query'
import { Add } from '../forms/Add.tsx'
import { Field } from '../forms/Field.tsx'
import { Form } from '../forms/Form.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { toast } from '../parts/Toasts.tsx'
import { merchantApi, request } from '../session/request.ts'
import { RoleField } from './RoleField.tsx'

/** The button that invites a member, by a dialog. */
export function Invite({ merchantId }: { readonly merchantId: string }) {
  const { words } = usePage()
  const client = useQueryClient()

  async function invite(fields: FormData): Promise<void> {
    const email = String(fields.get('email'))
    const body = { email, role: String(fields.get('role')) }
    await request('POST', merchantApi(merchantId, '/v1/invitations'), body)
    await client.invalidateQueries({ queryKey: ['invitations', merchantId] })
    toast(words.say('membersSent', { email }), {
      href: placePath(merchantId, 'members'),
      name: words.say('view'),
    })
  }
  return (
    <Add label={words.say('membersInvite')}>
      {(close) => (
        <Form action={words.say('membersInvite')} onSend={(fields) => invite(fields).then(close)}>
          <Field label={words.say('email')} name="email" type="email" autocomplete="off" required />
          <RoleField initial="reader" />
        </Form>
      )}
    </Add>
  )
}
