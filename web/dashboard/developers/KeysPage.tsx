import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Role } from '../../../core/access/roles.ts'
import { Callout } from '../parts/Callout.tsx'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import { Snippet } from '../parts/Snippet.tsx'
import { Failed, Skeleton } from '../parts/States.tsx'
import { getData, merchantApi } from '../session/request.ts'
import { CreateKey } from './CreateKey.tsx'
import { KeyTable } from './KeyTable.tsx'
import type { KeyJson, MadeKeyJson } from './keyJson.ts'

interface KeysPageProps {
  readonly merchantId: string
  readonly role: Role
}

/** A merchant's keys: created, rotated and revoked here; revoked ones below. */
export function KeysPage({ merchantId, role }: KeysPageProps) {
  const { words } = usePage()
  const [made, setMade] = useState<MadeKeyJson | null>(null)
  const path = merchantApi(merchantId, '/v1/api-keys')
  const keys = useQuery({
    queryKey: ['api-keys', merchantId],
    queryFn: () => getData<readonly KeyJson[]>(path),
  })
  if (keys.isPending) return <Skeleton rows={6} />
  if (keys.isError) return <Failed error={keys.error} onRetry={() => keys.refetch()} />
  const active = keys.data.filter(({ revokedAt }) => revokedAt === null)
  const revoked = keys.data.filter(({ revokedAt }) => revokedAt !== null)
  const mayChange = may(role, 'createApiKey')

  async function onChanged(key: MadeKeyJson | null): Promise<void> {
    setMade(key)
    await keys.refetch()
  }

  return (
    <>
      {made !== null && (
        <Callout tone="good" isNews>
          <h2>{words.say('devMadeTitle', { name: made.name })}</h2>
          {made.kind === 'secret' && <p>{words.say('devShownOnce')}</p>}
          <Snippet label={made.name} text={made.key} />
        </Callout>
      )}
      <section class="card" aria-labelledby="active-keys">
        <div class="head">
          <h2 id="active-keys">{words.say('devKeys')}</h2>
          {mayChange && (
            <CreateKey
              path={path}
              hasPublishable={active.some(({ kind }) => kind === 'publishable')}
              onCreated={onChanged}
            />
          )}
        </div>
        <p class="hint">{words.say('devKeysHint')}</p>
        {!mayChange && <p class="hint">{words.say('devOnlyBuilders')}</p>}
      </section>
      <KeyTable label={words.say('devKeys')} keys={active} {...{ path, mayChange, onChanged }} />
      {revoked.length > 0 && (
        <section class="section below" aria-labelledby="revoked-keys">
          <h2 id="revoked-keys">{words.say('devRevokedKeys')}</h2>
          <KeyTable
            label={words.say('devRevokedKeys')}
            keys={revoked}
            mayChange={false}
            {...{ path, onChanged }}
          />
        </section>
      )}
    </>
  )
}
