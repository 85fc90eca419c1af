import type { Environment } from '../../core/chain/table.ts'

/**
 * Starts Swagger UI. The validator is disabled: by default the document would be sent to one on the internet. In
 * the sandbox the key survives a reload in the tab's session storage; a live key is not stored.
 */
export function startScript(environment: Environment): string {
  return environment === 'sandbox' ? SANDBOX : LIVE
}

const OPTIONS = `url: '/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,`

const LIVE = `window.ui = SwaggerUIBundle({
  ${OPTIONS}
})
`

const SANDBOX = `const KEPT = 'remit-sandbox-key'
const keepKey = {
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize) => (given) => {
          if (given.secretKey?.value) sessionStorage.setItem(KEPT, given.secretKey.value)
          return authorize(given)
        },
        logout: (logout) => (names) => {
          sessionStorage.removeItem(KEPT)
          return logout(names)
        },
      },
    },
  },
}
window.ui = SwaggerUIBundle({
  ${OPTIONS}
  plugins: [keepKey],
  onComplete() {
    const key = sessionStorage.getItem(KEPT)
    if (key) window.ui.preauthorizeApiKey('secretKey', key)
  },
})
`
