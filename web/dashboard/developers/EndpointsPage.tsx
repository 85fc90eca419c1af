import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Role } from '../../../core/access/roles.ts'
import type { WebhookEndpointJson } from '../../../core/webhook/endpoint.ts'
import { Add } from '../forms/Add.tsx'
import { Callout } from '../parts/Callout.tsx'
import { Empty } from '../parts/Empty.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { may } from '../parts/may.ts'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { placePath } from '../parts/places.ts'
import { Snippet } from '../parts/Snippet.tsx'
import { Table } from '../parts/Table.tsx'
import { toastDone } from '../parts/Toasts.tsx'
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
  const [secret, setSecret] = useState<string | null>(null)
  const list = useQuery({
    queryKey: ['webhook-endpoints', merchantId],
    queryFn: () => getData<readonly WebhookEndpointJson[]>(`${path}?limit=100`),
  })

  async function add(wish: EndpointWish): Promise<void> {
    const { data } = await request<{ data: { id: string; secret: string } }>('POST', path, wish)
    setSecret(data.secret)
    await list.refetch()
    const endpoint = placePath(merchantId, 'developers', `webhooks/${data.id}`)
    toastDone(words, 'audit_createWebhookEndpoint', endpoint)
  }

  return (
    <>
      {secret !== null && (
        <Callout tone="good" isNews>
          <h2>{words.say('devSecretTitle')}</h2>
          <p>{words.say('devSecretOnce')}</p>
          <Snippet label={words.say('devSecretTitle')} text={secret} />
        </Callout>
      )}
      {may(role, 'createWebhookEndpoint') && (
        <div class="actions aside">
          <Add label={words.say('newEndpoint')}>
            {(close) => (
              <EndpointForm
                endpoint={null}
                action={words.say('addEndpoint')}
                onSend={(wish) => add(wish).then(close)}
              />
            )}
          </Add>
        </div>
      )}
      <Loaded query={list} rows={4}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <Empty title={words.say('devNoEndpointTitle')} next={words.say('devNoEndpointNext')} />
          ) : (
            <EndpointTable {...{ merchantId, endpoints }} />
          )
        }
      </Loaded>
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
    <Table
      label={words.say('devWebhooks')}
      columns={[
        {
          ...{ name: words.say('url'), kind: 'long', phone: 'start' },
          cell: ({ id, url }) => (
            <a href={placePath(merchantId, 'developers', `webhooks/${id}`)}>{url}</a>
          ),
        },
        {
          ...{ name: words.say('devEvents'), phone: 'below' },
          cell: ({ eventTypes }) =>
            eventTypes === null
              ? words.say('statusAll')
              : words.say('devTypes', { n: eventTypes.length }),
        },
        {
          ...{ name: words.say('status'), phone: 'end' },
          cell: (endpoint) => {
            const { word, tone } = endpointState(endpoint)
            return <Pill tone={tone} text={words.say(word)} />
          },
        },
      ]}
      rows={endpoints}
      keyOf={({ id }) => id}
      isLinked
    />
  )
}
