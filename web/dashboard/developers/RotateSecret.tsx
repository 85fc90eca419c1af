import { useState } from 'preact/hooks'
import { Confirm } from '../forms/Confirm.tsx'
import { Callout } from '../parts/Callout.tsx'
import { usePage } from '../parts/page.ts'
import { Snippet } from '../parts/Snippet.tsx'
import { toastDone } from '../parts/Toasts.tsx'
import { request } from '../session/request.ts'

interface RotateSecretProps {
  readonly path: string
  readonly onRotated: () => Promise<unknown>
}

/** A new signing secret, beside the old one for a day, or at once when that one has leaked. */
export function RotateSecret({ path, onRotated }: RotateSecretProps) {
  const { words } = usePage()
  const [secret, setSecret] = useState<string | null>(null)
  const [hasLeaked, setLeaked] = useState(false)

  async function rotate(): Promise<void> {
    const { data } = await request<{ data: { secret: string } }>('POST', `${path}/rotate-secret`, {
      overlap: !hasLeaked,
    })
    setSecret(data.secret)
    await onRotated()
    toastDone(words, 'audit_rotateWebhookSecret', location.pathname)
  }

  return (
    <section class="card" aria-labelledby="secret">
      <h2 id="secret">{words.say('devSecretTitle')}</h2>
      <p class="hint">{words.say('devSecretHintWebhook')}</p>
      {secret !== null && (
        <Callout tone="good" isNews>
          <p>{words.say('devSecretOnce')}</p>
          <Snippet label={words.say('devSecretTitle')} text={secret} />
        </Callout>
      )}
      <div>
        <Confirm
          label={words.say('devRotateSecret')}
          title={words.say('devRotateSecretTitle')}
          action={words.say('devRotateSecret')}
          onConfirm={rotate}
        >
          <label class="check">
            <input type="checkbox" checked={hasLeaked} onChange={() => setLeaked(!hasLeaked)} />
            <span>{words.say('devExpireOld')}</span>
          </label>
          <p>{words.say(hasLeaked ? 'devExpireOldNext' : 'devOverlapNext')}</p>
        </Confirm>
      </div>
    </section>
  )
}
