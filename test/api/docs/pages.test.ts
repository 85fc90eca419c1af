import { describe, expect, test } from 'bun:test'
import { errorPage } from '../../../api/docs/errorPage.ts'
import { startScript } from '../../../api/docs/start.ts'
import { ERRORS, isErrorCode } from '../../../core/base/errors.ts'

describe('the page of errors', () => {
  test.each(Object.keys(ERRORS).filter(isErrorCode))('explains %s', (code) => {
    const page = errorPage()
    const section = page.slice(page.indexOf(`<section id="${code}">`)).split('</section>')[0] ?? ''
    const { status, text } = ERRORS[code]
    expect(section).toContain(`${status} “${text}”`)
    expect(section).toMatch(/<dt>When<\/dt><dd>[^<]+/)
    expect(section).toMatch(/<dt>What to change<\/dt><dd>.+\.<\/dd>/)
    expect(page.match(new RegExp(`id="${code}"`, 'g'))).toHaveLength(1)
  })

  test('has no markup but its own, and no backquotes', () => {
    expect(errorPage()).not.toContain('`')
    expect(errorPage()).toContain('<code>{&quot;active&quot;: true}</code>')
    expect(errorPage()).not.toMatch(/<script|<style|style="/)
  })
})

interface Started {
  readonly plugins?: readonly {
    readonly statePlugins: {
      readonly auth: {
        readonly wrapActions: Readonly<
          Record<string, (original: (given: unknown) => unknown) => (given: unknown) => unknown>
        >
      }
    }
  }[]
  readonly persistAuthorization: boolean
  onComplete?(): void
}

/** Runs the script as a page does, whose session storage is the given map. */
function start(environment: 'sandbox' | 'live', storage: Map<string, string>) {
  const shown: unknown[][] = []
  const given: Started[] = []
  const page = {}
  const bundle = (options: Started) => {
    given.push(options)
    return { preauthorizeApiKey: (...key: unknown[]) => shown.push(key) }
  }
  const sessionStorage = {
    getItem: (name: string) => storage.get(name) ?? null,
    setItem: (name: string, value: string) => storage.set(name, value),
    removeItem: (name: string) => storage.delete(name),
  }
  const script = startScript(environment)
  new Function('window', 'SwaggerUIBundle', 'sessionStorage', script)(page, bundle, sessionStorage)
  const [options] = given
  if (options === undefined) throw new Error('Swagger UI was not started')
  return { options, shown }
}

describe('the key', () => {
  const KEY = { secretKey: { value: 'sk_test_x' } }

  test('outlives a reload in the sandbox, until it is taken away', () => {
    const storage = new Map<string, string>()
    const actions = start('sandbox', storage).options.plugins?.[0]?.statePlugins.auth.wrapActions
    const passed: unknown[] = []
    actions?.authorize?.((given) => passed.push(given))(KEY)
    const reloaded = start('sandbox', storage)
    reloaded.options.onComplete?.()
    expect([passed, reloaded.shown]).toEqual([[KEY], [['secretKey', 'sk_test_x']]])
    actions?.logout?.((given) => passed.push(given))(['secretKey'])
    expect([storage.size, passed.length]).toEqual([0, 2])
  })

  test('of live is kept nowhere', () => {
    const { options } = start('live', new Map([['remit-sandbox-key', 'sk_live_x']]))
    expect(options).toMatchObject({ persistAuthorization: false })
    expect([options.plugins, options.onComplete]).toEqual([undefined, undefined])
    expect(startScript('live')).not.toContain('Storage')
  })
})
