import { useQuery } from '@tanstack/preact-query'
import { Form } from '../forms/Form.tsx'
import { Moment } from '../parts/Moment.tsx'
import { usePage } from '../parts/page.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { addPasskey, listPasskeys, removePasskey } from '../session/auth.ts'

/** The user's passkeys: added on this device, removed from any. */
export function Passkeys() {
  const { words } = usePage()
  const passkeys = useQuery({ queryKey: ['passkeys'], queryFn: listPasskeys })

  async function remove(id: string): Promise<void> {
    await removePasskey(id)
    await passkeys.refetch()
  }

  return (
    <section class="card" aria-labelledby="passkeys">
      <h2 id="passkeys">{words.say('passkeysTitle')}</h2>
      <p>{words.say('passkeysHint')}</p>
      {passkeys.isPending && <Skeleton rows={1} />}
      {passkeys.isError && <Failed error={passkeys.error} onRetry={() => passkeys.refetch()} />}
      <ul class="lines">
        {passkeys.data?.map((passkey) => (
          <li key={passkey.id}>
            <span>
              {passkey.name ?? words.say('passkeyUnnamed')}{' '}
              {passkey.createdAt && <Moment at={passkey.createdAt} />}
            </span>
            <button type="button" class="quiet risky" onClick={() => remove(passkey.id)}>
              {words.say('remove')}
            </button>
          </li>
        ))}
      </ul>
      <Form
        action={words.say('addPasskey')}
        onSend={async () => {
          await addPasskey()
          await passkeys.refetch()
        }}
        explain={() => words.say('passkeyFailed')}
      >
        {null}
      </Form>
    </section>
  )
}
