import { Loaded } from '../parts/Loaded.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Table } from '../parts/Table.tsx'
import { type OrderJson, useWatched } from './api.ts'

/** The operators' orders and their results. */
export function Orders() {
  const { words } = usePage()
  const orders = useWatched<readonly OrderJson[]>('/orders')
  return (
    <section class="card part" aria-labelledby="orders">
      <h2 id="orders">{words.say('opActions')}</h2>
      <Loaded query={orders} rows={2}>
        {(found) =>
          found.length === 0 ? (
            <p class="hint">{words.say('opNoAction')}</p>
          ) : (
            <OrderTable orders={found} />
          )
        }
      </Loaded>
    </section>
  )
}

function OrderTable({ orders }: { readonly orders: readonly OrderJson[] }) {
  const { words } = usePage()
  return (
    <Table
      label={words.say('opActions')}
      columns={[
        {
          ...{ name: words.say('opKind'), kind: 'long', phone: 'start' },
          cell: ({ kind, networkId }) => `${kind} ${networkId}`,
        },
        {
          ...{ name: words.say('resource'), kind: 'long', phone: 'whole' },
          cell: ({ subject, answer }) => (
            <>
              <code>{subject}</code>
              {answer !== null && <small class="hint block">{answer}</small>}
            </>
          ),
        },
        {
          ...{ name: words.say('auditActor'), kind: 'long', phone: 'below' },
          cell: ({ orderedBy }) => orderedBy,
        },
        {
          ...{ name: words.say('status'), phone: 'end' },
          cell: ({ isDone }) => (
            <Pill
              tone={isDone === null ? 'calm' : isDone ? 'good' : 'bad'}
              text={words.say(isDone === null ? 'waiting' : isDone ? 'opDone' : 'refused')}
            />
          ),
        },
        {
          ...{ name: words.say('time'), phone: 'below' },
          cell: ({ createdAt }) => <Moment at={createdAt} />,
        },
      ]}
      rows={orders}
      keyOf={({ id }) => id}
    />
  )
}
