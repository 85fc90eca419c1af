import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Role } from '../../../core/access/roles.ts'
import type { WebhookEndpointJson } from '../../../core/webhook/endpoint.ts'
import { may } from '../parts/may.ts'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { Snippet } from '../parts/Snippet.tsx'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { getData, merchantApi, request } from '../session/request.ts'
import { EndpointForm, type EndpointWish } from './EndpointForm.tsx'
import { endpointState } from './endpointState.ts'

interface EndpointsPageProps {
  readonly merchantId: string
  readonly role: Role
}

/** Where a merchant hears of events, and adding such a place. */
export function EndpointsPage({ merchantId, role }: EndpointsPageProps) {
  const { words } = usePage()
  const path = merchantApi(merchantId, '/v1/webhooks/endpoints')
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const list = useQuery({
    queryKey: ['webhook-endpoints', merchantId],
    queryFn: () => getData<readonly WebhookEndpointJson[]>(`${path}?limit=100`),
  })

  async function add(wish: EndpointWish): Promise<void> {
    const { data } = await request<{ data: { secret: string } }>('POST', path, wish)
    setSecret(data.secret)
    setAdding(false)
    await list.refetch()
  }

  return (
    <>
      {secret !== null && (
        <section class="card once" role="status">
          <h2>{words.say('devSecretTitle')}</h2>
          <p>{words.say('devSecretOnce')}</p>
          <Snippet label={words.say('devSecretTitle')} text={secret} />
        </section>
      )}
      {may(role, 'createWebhookEndpoint') && (
        <details
          class="card"
          open={isAdding}
          onToggle={(toggle) => setAdding(toggle.currentTarget.open)}
        >
          <summary>{words.say('newEndpoint')}</summary>
          {isAdding && (
            <EndpointForm endpoint={null} action={words.say('addEndpoint')} onSend={add} />
          )}
        </details>
      )}
      {list.isPending && <Skeleton rows={4} />}
      {list.isError && <Failed error={list.error} onRetry={() => list.refetch()} />}
      {list.data?.length === 0 && (
        <Empty title={words.say('devNoEndpointTitle')} next={words.say('devNoEndpointNext')} />
      )}
      {list.data && list.data.length > 0 && (
        <EndpointTable merchantId={merchantId} endpoints={list.data} />
      )}
    </>
  )
}

interface EndpointTableProps {
  readonly merchantId: string
  readonly endpoints: readonly WebhookEndpointJson[]
}

function EndpointTable({ merchantId, endpoints }: EndpointTableProps) {
  const { words } = usePage()
  return (
    <table>
      <caption class="hidden">{words.say('devWebhooks')}</caption>
      <thead>
        <tr>
          <th scope="col">{words.say('url')}</th>
          <th scope="col">{words.say('status')}</th>
          <th scope="col">{words.say('devEvents')}</th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map((endpoint) => {
          const { word, tone } = endpointState(endpoint)
          const types = endpoint.eventTypes
          return (
            <tr key={endpoint.id}>
              <th scope="row" class="long">
                <a href={placePath(merchantId, 'developers', `webhooks/${endpoint.id}`)}>
                  {endpoint.url}
                </a>
              </th>
              <td data-label={words.say('status')}>
                <Pill tone={tone} text={words.say(word)} />
              </td>
              <td data-label={words.say('devEvents')}>
                {types === null
                  ? words.say('statusAll')
                  : words.say('devTypes', { n: types.length })}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
