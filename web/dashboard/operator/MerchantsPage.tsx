import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { Empty } from '../parts/Empty.tsx'
import { SearchField } from '../parts/FilterBar.tsx'
import { Hash } from '../parts/Hash.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Snippet } from '../parts/Snippet.tsx'
import { Table } from '../parts/Table.tsx'
import { getData } from '../session/request.ts'
import { operatorApi } from './api.ts'

interface MerchantJson {
  readonly id: string
  readonly name: string
  readonly recipient: string | null
  readonly members: number
  readonly keyLastUsedAt: string | null
  readonly failingEndpoints: number
  readonly createdAt: string
}

interface Page {
  readonly merchants: readonly MerchantJson[]
  readonly next: string | null
}

const CREATE = 'bun run remit merchant create --name NAME'
const INVITE = 'bun run remit merchant invite ID --email ADDRESS --role owner'

/** All merchants. Only the operator's commands create one and invite its first owner. */
export function MerchantsPage() {
  const { words } = usePage()
  const { query, path, route } = useLocation()
  const { search = '', before = '' } = query
  const wanted = new URLSearchParams(
    Object.entries({ search, before }).filter(([, value]) => value !== ''),
  )
  const list = useQuery({
    queryKey: ['operator', '/merchants', search, before],
    queryFn: () => getData<Page>(operatorApi(`/merchants?${wanted}`)),
  })
  const goTo = (change: Readonly<Record<string, string>>) => {
    const all = Object.entries({ search, ...change }).filter(([, value]) => value !== '')
    route(all.length === 0 ? path : `${path}?${new URLSearchParams(all)}`)
  }
  return (
    <>
      <search class="filters" aria-label={words.say('filters')}>
        <SearchField
          label={words.say('opSearch')}
          value={search}
          onSearch={(text) => goTo({ search: text })}
        />
      </search>
      <Loaded query={list} rows={10}>
        {({ merchants, next }) => (
          <>
            {merchants.length === 0 ? (
              <Empty title={words.say('opNoMerchantTitle')} next={words.say('opNoMerchantNext')} />
            ) : (
              <MerchantTable merchants={merchants} />
            )}
            {next && (
              <nav class="paging" aria-label={words.say('pages')}>
                <button type="button" onClick={() => goTo({ before: next })}>
                  {words.say('next')}
                </button>
              </nav>
            )}
          </>
        )}
      </Loaded>
      <section class="card part" aria-labelledby="new-merchant">
        <h2 id="new-merchant">{words.say('opNewMerchant')}</h2>
        <p class="hint">{words.say('opNewMerchantHint')}</p>
        <Snippet label={words.say('opNewMerchant')} text={`${CREATE}\n${INVITE}`} />
      </section>
    </>
  )
}

function MerchantTable({ merchants }: { readonly merchants: readonly MerchantJson[] }) {
  const { words } = usePage()
  return (
    <Table
      label={words.say('opMerchants')}
      columns={[
        {
          ...{ name: words.say('itsName'), kind: 'long', phone: 'start' },
          cell: ({ id, name }) => <span title={id}>{name}</span>,
        },
        {
          name: words.say('payoutAddress'),
          cell: ({ recipient }) =>
            recipient === null ? (
              <Pill tone="warn" text={words.say('none')} />
            ) : (
              <Hash value={recipient} kind="address" />
            ),
        },
        { name: words.say('members'), kind: 'figure', cell: ({ members }) => members },
        {
          name: words.say('devLastUsed'),
          cell: ({ keyLastUsedAt }) =>
            keyLastUsedAt === null ? words.say('devNeverUsed') : <Moment at={keyLastUsedAt} />,
        },
        {
          ...{ name: words.say('devWebhooks'), phone: 'end' },
          cell: ({ failingEndpoints }) =>
            failingEndpoints > 0 ? (
              <Pill tone="warn" text={words.say('opFailing', { n: failingEndpoints })} />
            ) : (
              '–'
            ),
        },
        {
          ...{ name: words.say('created'), phone: 'below' },
          cell: ({ createdAt }) => <Moment at={createdAt} />,
        },
      ]}
      rows={merchants}
      keyOf={({ id }) => id}
    />
  )
}
