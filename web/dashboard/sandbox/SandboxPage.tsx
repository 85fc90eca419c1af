import { useQuery } from '@tanstack/preact-query'
import { may } from '../parts/may.ts'
import { usePage } from '../parts/page.ts'
import type { PlaceProps } from '../parts/places.ts'
import { Failed, Skeleton } from '../parts/States.tsx'
import { getData, merchantApi } from '../session/request.ts'
import { Chains } from './Chains.tsx'
import { Faucet } from './Faucet.tsx'
import { Reset } from './Reset.tsx'
import { Scenarios } from './Scenarios.tsx'
import type { SandboxJson } from './sandboxJson.ts'
import { TestEvents } from './TestEvents.tsx'

const AGAIN_MS = 3_000

/** The sandbox portal: everything that can happen, without a token and without waiting for it. */
export function SandboxPage({ merchantId, role }: PlaceProps) {
  const { words } = usePage()
  const sandbox = useQuery({
    queryKey: ['sandbox', merchantId],
    queryFn: () => getData<SandboxJson>(merchantApi(merchantId, '/v1/sandbox')),
    // A node that was busy answers a moment later.
    refetchInterval: ({ state }) => (state.data?.chains.length === 0 ? AGAIN_MS : false),
  })
  return (
    <>
      <h1>{words.say('sandbox')}</h1>
      {sandbox.isPending && <Skeleton rows={10} />}
      {sandbox.isError && <Failed error={sandbox.error} onRetry={() => sandbox.refetch()} />}
      {sandbox.data && !may(role, 'sandboxScenario') && <p>{words.say('boxOnlyBuilders')}</p>}
      {sandbox.data && may(role, 'sandboxScenario') && (
        <>
          <Scenarios merchantId={merchantId} sandbox={sandbox.data} />
          <div class="charts">
            <TestEvents merchantId={merchantId} types={sandbox.data.eventTypes} />
            <Faucet merchantId={merchantId} chains={sandbox.data.chains} />
          </div>
          <Chains
            merchantId={merchantId}
            chains={sandbox.data.chains}
            onMoved={() => sandbox.refetch()}
          />
        </>
      )}
      {sandbox.data && may(role, 'resetSandbox') && <Reset merchantId={merchantId} />}
    </>
  )
}
