import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Role } from '../../../core/access/roles.ts'
import { ActionButton } from '../forms/ActionButton.tsx'
import { Confirm } from '../forms/Confirm.tsx'
import { Moment } from '../parts/Moment.tsx'
import { may } from '../parts/may.ts'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Snippet } from '../parts/Snippet.tsx'
import { Failed, Skeleton } from '../parts/States.tsx'
import { getData, merchantApi, request } from '../session/request.ts'

export interface KeyJson {
  readonly kind: KeyKind
  readonly hint: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  readonly revokedAt: string | null
}

type KeyKind = 'secret' | 'publishable'
const KINDS = ['secret', 'publishable'] as const

interface KeysPageProps {
  readonly merchantId: string
  readonly role: Role
}

/** A merchant's keys: created, rotated and revoked here; previous keys below. */
export function KeysPage({ merchantId, role }: KeysPageProps) {
  const { words } = usePage()
  const keys = useQuery({
    queryKey: ['api-keys', merchantId],
    queryFn: () => getData<readonly KeyJson[]>(merchantApi(merchantId, '/v1/api-keys')),
  })
  if (keys.isPending) return <Skeleton rows={6} />
  if (keys.isError) return <Failed error={keys.error} onRetry={() => keys.refetch()} />
  const former = keys.data.filter(({ revokedAt }) => revokedAt !== null)
  return (
    <>
      {KINDS.map((kind) => (
        <OneKind
          key={kind}
          kind={kind}
          merchantId={merchantId}
          mayChange={may(role, 'replaceApiKey')}
          current={keys.data.find((one) => one.kind === kind && one.revokedAt === null) ?? null}
          onChanged={() => keys.refetch()}
        />
      ))}
      {former.length > 0 && (
        <section class="card" aria-labelledby="former">
          <h2 id="former">{words.say('devRevokedKeys')}</h2>
          <ul class="lines">
            {former.map((key) => (
              <li key={`${key.kind}${key.hint}${key.createdAt}`}>
                <span>
                  <code>…{key.hint}</code>{' '}
                  <small class="hint">
                    {words.say(key.kind === 'secret' ? 'devSecretKey' : 'devPublishableKey')}
                  </small>
                </span>
                <span class="hint">
                  {words.say('devRevokedAt')} <Moment at={key.revokedAt ?? key.createdAt} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

interface OneKindProps {
  readonly kind: KeyKind
  readonly merchantId: string
  readonly mayChange: boolean
  readonly current: KeyJson | null
  readonly onChanged: () => Promise<unknown>
}

function OneKind({ kind, merchantId, mayChange, current, onChanged }: OneKindProps) {
  const { words } = usePage()
  const [made, setMade] = useState<string | null>(null)
  const isSecret = kind === 'secret'

  async function replace(): Promise<void> {
    const path = merchantApi(merchantId, '/v1/api-keys')
    const answer = await request<{ data: { key: string } }>('POST', path, { kind })
    setMade(answer.data.key)
    await onChanged()
  }
  async function revoke(): Promise<void> {
    await request('POST', merchantApi(merchantId, '/v1/api-keys/revoke'), { kind })
    setMade(null)
    await onChanged()
  }

  return (
    <section class="card" aria-labelledby={kind}>
      <div class="head">
        <h2 id={kind}>{words.say(isSecret ? 'devSecretKey' : 'devPublishableKey')}</h2>
        <Pill tone={current ? 'good' : 'calm'} text={words.say(current ? 'active' : 'none')} />
      </div>
      <p class="hint">{words.say(isSecret ? 'devSecretHint' : 'devPublishableHint')}</p>
      {made !== null && (
        <div class="once" role="status">
          <p>{words.say('devShownOnce')}</p>
          <Snippet label={words.say(isSecret ? 'devSecretKey' : 'devPublishableKey')} text={made} />
        </div>
      )}
      {current && <KeyFacts current={current} />}
      {mayChange && current === null && (
        <div>
          <ActionButton class="main" label={words.say('devCreateKey')} onAction={replace} />
        </div>
      )}
      {mayChange && current && (
        <div class="actions">
          <Confirm
            label={words.say('devRotate')}
            title={words.say('devRotateTitle', { hint: current.hint })}
            action={words.say('devRotateDo')}
            onConfirm={replace}
          >
            <p>{words.say('devRotateNext')}</p>
          </Confirm>
          <Confirm
            label={words.say('devRevoke')}
            title={words.say('devRevokeTitle', { hint: current.hint })}
            action={words.say('devRevokeDo')}
            onConfirm={revoke}
          >
            <p>{words.say('devRevokeNext')}</p>
          </Confirm>
        </div>
      )}
      {!mayChange && <p class="hint">{words.say('devOnlyBuilders')}</p>}
    </section>
  )
}

function KeyFacts({ current }: { readonly current: KeyJson }) {
  const { words } = usePage()
  return (
    <dl>
      <div>
        <dt>{words.say('devKeyEnding')}</dt>
        <dd>
          <code>…{current.hint}</code>
        </dd>
      </div>
      <div>
        <dt>{words.say('created')}</dt>
        <dd>
          <Moment at={current.createdAt} />
        </dd>
      </div>
      <div>
        <dt>{words.say('devLastUsed')}</dt>
        <dd>
          {current.lastUsedAt ? <Moment at={current.lastUsedAt} /> : words.say('devNeverUsed')}
        </dd>
      </div>
    </dl>
  )
}
