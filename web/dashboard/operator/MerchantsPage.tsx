import { useQuery } from '@tanstack/preact-query'
import { useLocation } from 'preact-iso'
import { Hash } from '../parts/Hash.tsx'
import { Moment } from '../parts/Moment.tsx'
import { Pill } from '../parts/Pill.tsx'
import { usePage } from '../parts/page.ts'
import { Snippet } from '../parts/Snippet.tsx'
import { Empty, Failed, Skeleton } from '../parts/States.tsx'
import { Wide } from '../parts/Wide.tsx'
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
        <form
          onSubmit={(event) => {
            event.preventDefault()
            goTo({ search: String(new FormData(event.currentTarget).get('search')).trim() })
          }}
        >
          <input
            key={search}
            type="search"
            name="search"
            class="wide"
            defaultValue={search}
            aria-label={words.say('opSearch')}
            placeholder={words.say('opSearch')}
            maxLength={100}
          />
        </form>
      </search>
      {list.isPending && <Skeleton rows={10} />}
      {list.isError && <Failed error={list.error} onRetry={() => list.refetch()} />}
      {list.data?.merchants.length === 0 && (
        <Empty title={words.say('opNoMerchantTitle')} next={words.say('opNoMerchantNext')} />
      )}
      {list.data && list.data.merchants.length > 0 && (
        <MerchantTable merchants={list.data.merchants} />
      )}
      {list.data?.next && (
        <nav class="paging" aria-label={words.say('pages')}>
          <button type="button" onClick={() => goTo({ before: list.data.next ?? '' })}>
            {words.say('next')}
          </button>
        </nav>
      )}
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
    <Wide label={words.say('opMerchants')}>
      <table>
        <caption class="hidden">{words.say('opMerchants')}</caption>
        <thead>
          <tr>
            <th scope="col">{words.say('opName')}</th>
            <th scope="col">{words.say('payoutAddress')}</th>
            <th scope="col" class="right">
              {words.say('members')}
            </th>
            <th scope="col">{words.say('devLastUsed')}</th>
            <th scope="col">{words.say('devWebhooks')}</th>
            <th scope="col">{words.say('created')}</th>
          </tr>
        </thead>
        <tbody>
          {merchants.map((merchant) => (
            <tr key={merchant.id}>
              <th scope="row" class="long" title={merchant.id}>
                {merchant.name}
              </th>
              <td data-label={words.say('payoutAddress')}>
                {merchant.recipient === null ? (
                  <Pill tone="warn" text={words.say('none')} />
                ) : (
                  <Hash value={merchant.recipient} kind="address" />
                )}
              </td>
              <td class="figure right" data-label={words.say('members')}>
                {merchant.members}
              </td>
              <td data-label={words.say('devLastUsed')}>
                {merchant.keyLastUsedAt === null ? (
                  words.say('devNeverUsed')
                ) : (
                  <Moment at={merchant.keyLastUsedAt} />
                )}
              </td>
              <td data-label={words.say('devWebhooks')}>
                {merchant.failingEndpoints > 0 ? (
                  <Pill
                    tone="warn"
                    text={words.say('opFailing', { n: merchant.failingEndpoints })}
                  />
                ) : (
                  '–'
                )}
              </td>
              <td data-label={words.say('created')}>
                <Moment at={merchant.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}
