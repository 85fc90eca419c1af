/** Written by `bun run sdk` from the API's OpenAPI document. */

export interface paths {
    "/v1/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices
         * @description The invoices of the merchant, the newest first. Past the end it is empty.
         */
        get: operations["listInvoices"];
        put?: never;
        /**
         * Create an invoice
         * @description Gives the invoice one deposit address per chain. A repeated externalRef answers 200 with the original when all parameters are the same, else 409.
         */
        post: operations["createInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invoice
         * @description The invoice with all its transactions.
         */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an invoice's transactions
         * @description All payments to the invoice in the order they were detected, on one page.
         */
        get: operations["listInvoiceTransactions"];
        put?: never;
        /**
         * Submit a transaction
         * @description Records what a transaction brought to the deposit address, in any token on any chain, also where only the balance before and after the block shows it. The usual rules decide what counts; the rest is held. Native coin, and tokens that only the operator lists, are recorded in no other way.
         */
        post: operations["submitTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Expire an unpaid invoice
         * @description From now on the invoice is expired: payments in later blocks are recorded as late and count for nothing. Ending it again changes nothing.
         */
        post: operations["expireInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/transactions/{transactionId}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a late payment
         * @description From now on the payment counts as if it had come in time: the invoice may be paid by it, and is settled. Accepting it again changes nothing.
         */
        post: operations["acceptLatePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/accept-partial": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an underpayment
         * @description The invoice is paid with what was received on time and confirmed so far, and is settled. The platform fee is computed again from that, never more than before. Accepting it again changes nothing.
         */
        post: operations["acceptPartialPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an invoice's refunds
         * @description All of them, in the order of the requests.
         */
        get: operations["listInvoiceRefunds"];
        put?: never;
        /**
         * Refund money
         * @description Gives back what no settlement has taken: the excess, what is late, in another token or coin, or on another chain, or all of an unsettled invoice. `refund.completed` or `refund.failed` reports the outcome; after a failure, ask again with another idempotencyKey.
         */
        post: operations["createRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/refunds/external": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record a refund from your treasury
         * @description Records a transfer of settled money back to who has paid. It is looked up on the chain, counts from its confirmations on, and only once. Repeating the request changes nothing.
         */
        post: operations["recordExternalRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recoveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List held money
         * @description Held money, with the reason and the possible actions, the newest first. Past the end it is empty.
         */
        get: operations["listRecoveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search invoices
         * @description By id, externalRef or reference, or how these begin (4 letters), transaction hash, deposit address, or payer: at most 20, the best matches first.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read balances
         * @description All that ever came to invoices, by chain and token. Amounts of unknown tokens are null.
         */
        get: operations["listBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List prices
         * @description The prices of the merchant, the newest first. Past the end it is empty.
         */
        get: operations["listPrices"];
        put?: never;
        /**
         * Create a price
         * @description Checkout sessions are made of prices, so that a browser with the publishable key never chooses an amount. The amount never changes: create another price instead.
         */
        post: operations["createPrice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/prices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a price
         * @description The price.
         */
        get: operations["getPrice"];
        put?: never;
        post?: never;
        /**
         * Delete a price
         * @description It creates no new invoices. Existing ones can still be paid.
         */
        delete: operations["deletePrice"];
        options?: never;
        head?: never;
        /**
         * Change a price
         * @description Changes the given fields. Existing invoices stay as they are.
         */
        patch: operations["changePrice"];
        trace?: never;
    };
    "/v1/payment-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment links
         * @description The payment links of the merchant, the newest first. Past the end it is empty.
         */
        get: operations["listPaymentLinks"];
        put?: never;
        /**
         * Create a payment link
         * @description A lasting address at which anybody may pay a price, each in a session of their own. Add `/qr` to it for its code, as SVG.
         */
        post: operations["createPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a payment link
         * @description The link, and how often it was paid.
         */
        get: operations["getPaymentLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a payment link
         * @description Changes the fields that are given: another price, too, so that what was printed stays right.
         */
        patch: operations["changePaymentLink"];
        trace?: never;
    };
    "/v1/checkout/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout session
         * @description Makes a page on which a payer pays a price or an invoice. A browser may call this with the publishable key, from the allowed origins, and only for a price. The invoice, and its address, are created when the payer continues from the first view.
         */
        post: operations["createCheckoutSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a checkout session
         * @description What a payer is shown, without a key. Send the ETag back as If-None-Match: 304 when nothing but `now` has changed.
         */
        get: operations["getCheckoutSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a checkout session
         * @description Server-sent events: `view` with the whole view, whose id is its version, at once and after each change. Nothing is missed by a lost connection. Where too many streams are open, read the session.
         */
        get: operations["followCheckoutSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions/{id}/choice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose a token
         * @description Makes the invoice, and the address to pay to. Another choice while nothing was seen makes another invoice and ends the former; what still arrives there is shown under `earlier`.
         */
        post: operations["chooseToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions/{id}/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look up a transaction
         * @description Finds where a transaction went: in what is recorded, then on every network. What it brought to an address of this session is recorded, and counts by the usual rules.
         */
        post: operations["lookUpTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions/{id}/refund-address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a refund address
         * @description For payers who pay from an exchange. The merchant sees it; nothing is refunded automatically. Once a payment has come, the first one stays.
         */
        post: operations["leaveRefundAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settings/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the checkout settings
         * @description What payers see of the merchant, and which pages may begin sessions.
         */
        get: operations["getCheckoutSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the checkout settings
         * @description Changes the fields that are given.
         */
        patch: operations["changeCheckoutSettings"];
        trace?: never;
    };
    "/v1/settings/checkout/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the logo
         * @description Send the picture itself: a PNG, JPEG or WebP of at most 2048 pixels a side and 65536 bytes. Its metadata is removed.
         */
        post: operations["replaceLogo"];
        /**
         * Remove the logo
         * @description Pages show the name alone.
         */
        delete: operations["removeLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a payment
         * @description Says whether a payment could be settled now, always by a 200. A valid one holds its amount for some seconds: verify of the payer's others sees that much less.
         */
        post: operations["verifyPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle a payment
         * @description Carries out a payment on-chain and waits for it, always by a 200. Each payment succeeds once; any later call gets `duplicate_settlement`. On `settlement_pending` repeat the call: it continues to wait and never pays twice. Needs no key.
         */
        post: operations["settlePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/supported": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List supported payment kinds
         * @description For x402 middleware, which reads it at startup.
         */
        get: operations["listX402Supported"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/discovery/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payable resources
         * @description The endpoints registered as `discoverable`, the newest first.
         */
        get: operations["listX402Resources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/discovery/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search payable resources
         * @description Those with all the words in URL, description, service, tags or tool, the newest first.
         */
        get: operations["searchX402Resources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/payments/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of a payment by its nonce
         * @description For a server that is shown the same payment again: ask before settling. With a secret key only payments to its merchant are found. Of several matches the newest is shown.
         *
         *     A nonce is public. Before you serve a settled one, check that the header is signed by `payer` for your `payTo` and price, and serve each payment once.
         */
        get: operations["getX402PaymentStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments
         * @description The pay-per-request payments of the merchant, the newest first. Past the end it is empty.
         */
        get: operations["listX402Payments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a payment
         * @description One pay-per-request payment of the merchant.
         */
        get: operations["getX402Payment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/payments/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a payment's refunds
         * @description All refunds of the payment in the order of the requests, on one page.
         */
        get: operations["listX402Refunds"];
        put?: never;
        /**
         * Refund a payment
         * @description Gives back what of a confirmed payment your forwarder still holds; payouts in this token wait until that has ended. What was paid out, or to your own address, you send back yourself. `refund.completed` or `refund.failed` follows.
         */
        post: operations["createX402Refund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment channels
         * @description The newest first. Past the end it is empty.
         */
        get: operations["listX402Channels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/channels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a payment channel
         * @description It pays the merchant.
         */
        get: operations["getX402Channel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/channels/{id}/voucher": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the voucher of a channel
         * @description The highest that was stored.
         */
        get: operations["getChannelVoucher"];
        /**
         * Store a voucher
         * @description What is lower than what is stored replaces nothing; the same again changes nothing.
         */
        put: operations["storeChannelVoucher"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/addresses/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register an own address
         * @description Payments may name it as `payTo` and go there in full.
         */
        post: operations["registerOwnAddress"];
        /**
         * Remove an own address
         * @description New payments to it are refused.
         */
        delete: operations["removeOwnAddress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List own addresses
         * @description What payments may name as `payTo`, beside the forwarder.
         */
        get: operations["listOwnAddresses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List endpoints
         * @description The endpoints of the merchant, deactivated ones included, the newest first. Past the end it is empty.
         */
        get: operations["listX402Endpoints"];
        put?: never;
        /**
         * Register a protected endpoint
         * @description One for each route and price. The first one creates the forwarder that receives the payments. The same URL at the same price again answers 200 with the original, or 409 when anything else differs.
         */
        post: operations["createX402Endpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/endpoints/requirements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the payment requirements of a URL
         * @description The price of a URL, compared as at its registration. When it has several, `requirements` is the newest and `accepts` has all. Patterns answer for URLs that have no price of their own.
         */
        get: operations["findX402Requirements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/x402/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an endpoint
         * @description The endpoint, whether it is active or not.
         */
        get: operations["getX402Endpoint"];
        put?: never;
        post?: never;
        /**
         * Deactivate an endpoint
         * @description Payments for it are refused from now on. Deactivating it again changes nothing. It is kept, and PATCH can take it into service again.
         */
        delete: operations["deactivateX402Endpoint"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint
         * @description Changes the fields that are given. A price that is replaced stays payable for 300 seconds; payments that have begun are carried out.
         */
        patch: operations["changeX402Endpoint"];
        trace?: never;
    };
    "/v1/x402/endpoints/{id}/requirements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the payment requirements of an endpoint
         * @description The price of one endpoint. A deactivated one is not found.
         */
        get: operations["getX402Requirements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description The webhook endpoints of the merchant, the newest first. Past the end it is empty.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Events are posted to it from now on, signed by Standard Webhooks. A merchant has at most 16 endpoints. The secret is shown this once.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description The endpoint, without its secret.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description It receives nothing more, and its deliveries are deleted. Events stay.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Changes the fields that are given. Switched off, the endpoint is sent nothing, and what waits for it ends as failed: a replay sends it later. Deliveries that wait go to the new URL.
         */
        patch: operations["changeWebhookEndpoint"];
        trace?: never;
    };
    "/v1/webhooks/endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an endpoint's secret
         * @description Makes a new secret, shown this once. For 24 hours webhooks carry a signature with each, unless `overlap` is false: then the old one is worth nothing at once.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends an event of type `test` to this endpoint only, regardless of its event types. Read its delivery at `/v1/webhooks/deliveries?eventId=`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay failed deliveries
         * @description Sends the endpoint what it has not taken since a time: failed deliveries, and events of while it was disabled. Each restarts its schedule, under the same `webhook-id`. Repeat the call while `hasMore` is true. A host is sent at most ten replayed webhooks a second, after a burst of 60; a call that finds ten minutes of them waiting is refused.
         */
        post: operations["replayWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description The deliveries of the last 30 days, the newest first. Past the end it is empty.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery
         * @description The delivery with its attempts, the newest 100, and what was answered.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver a webhook
         * @description Sends the event again at once, under the same `webhook-id`. A delivery that had ended restarts its schedule.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description The events of the last 30 days. Ask with `after` set to `nextAfter` of the page before: no event is ever skipped or shown twice. With nothing new the page is empty and `nextAfter` is the `after` of the request.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event
         * @description The event as its webhooks deliver it, for 30 days.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settings/recipient": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the recipient
         * @description The recipient of settled money, and its changes.
         */
        get: operations["getRecipient"];
        put?: never;
        /**
         * Change the recipient
         * @description Requests another address for settled money. It waits before it is active; every owner gets a mail and can cancel it. By key it needs an owner, and two where changes need an approval.
         */
        post: operations["changeRecipient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settings/recipient/changes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel a change of the recipient
         * @description Cancels a pending change.
         */
        delete: operations["cancelRecipientChange"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/transactions.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all transactions as CSV
         * @description Payments, settlements, refunds, x402 payments and payouts, one to a line, in the order first seen. RFC 4180 with a header; of any length. From the column currency on they are the invoice's present values. New columns come at the end. A merchant reads one report at a time.
         */
        get: operations["reportTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read daily totals
         * @description For each day in UTC, chain and token what was confirmed on it. Days without anything are left out. Without a range, the last 30 days; at most 366.
         */
        get: operations["reportDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/graphql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Query figures by GraphQL
         * @description GraphQL over volume, fees, settlements, refunds and x402 revenue; the schema is at `/docs/graphql/schema`, a page to try it at `/docs/graphql`. A secret key sees its own merchant, the operator’s token all. A query may cost 200 units, and 2000 are given back a minute. It is answered whole or not at all, one of a merchant at a time.
         */
        post: operations["queryFigures"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/faucet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get test tokens
         * @description Mints tokens on a development chain. Not available in live.
         */
        post: operations["sandboxFaucet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play a scenario
         * @description Does on a development chain what customers, chains and tokens do. Answers when it is mined; what follows shows in events.
         */
        post: operations["sandboxScenario"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/utils/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the chains
         * @description The chains that this deployment serves.
         */
        get: operations["listChains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/utils/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tokens
         * @description The accepted tokens, and their contracts.
         */
        get: operations["listTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description Answers 200 while the process runs, regardless of its dependencies.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description With a problem it answers 503; warnings alone leave it at 200. Details are for the operator: `Authorization: Bearer` and the `OPERATOR_TOKEN`.
         */
        get: operations["ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "invoice.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.created */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoiceCreatedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.payment_detected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.payment_detected */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoicePaymentDetectedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.payment_confirmed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.payment_confirmed */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoicePaymentConfirmedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.payment_reverted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.payment_reverted */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoicePaymentRevertedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.partially_paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.partially_paid */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoicePartiallyPaidEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.paid */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoicePaidEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.overpaid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.overpaid */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoiceOverpaidEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.late_payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.late_payment */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoiceLatePaymentEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.unexpected_payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.unexpected_payment */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoiceUnexpectedPaymentEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.voided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.voided */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoiceVoidedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.expired */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoiceExpiredEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** invoice.completed */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvoiceCompletedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "settlement.retrying": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** settlement.retrying */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SettlementRetryingEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "settlement.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** settlement.failed */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SettlementFailedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** refund.created */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RefundCreatedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** refund.completed */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RefundCompletedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** refund.failed */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RefundFailedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "x402.payment.settled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** x402.payment.settled */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["X402PaymentSettledEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "x402.payment.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** x402.payment.failed */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["X402PaymentFailedEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "x402.channel.withdrawing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** x402.channel.withdrawing */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["X402ChannelWithdrawingEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** endpoint.disabled */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EndpointDisabledEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** test */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description The event, the same at every attempt. */
                    "webhook-id": components["parameters"]["EventId"];
                    /** @description When this attempt was sent, in Unix seconds. */
                    "webhook-timestamp": components["parameters"]["Sent"];
                    /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
                    "webhook-signature": components["parameters"]["Signed"];
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TestEvent"];
                };
            };
            responses: {
                "2XX": components["responses"]["Taken"];
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description EVM address with its EIP-55 checksum. */
        Address: string;
        /** @description Decimal string in the token's major unit. */
        Amount: string;
        /** @description What every error has. */
        AnyError: {
            success: components["schemas"]["Failure"];
            /** @description In words. */
            error: string;
            /** @description Stable. */
            code: string;
            docs: components["schemas"]["ErrorPage"];
            traceId: components["schemas"]["TraceId"];
        };
        /** @description What every event has. */
        AnyEvent: {
            /** @description What happened. */
            type: string;
            /** @description When it happened. */
            timestamp: components["schemas"]["Time"];
            /** @description What it is about. */
            data: Record<string, unknown>;
        };
        ApprovalRequiredError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "approval required";
            /** @constant */
            code?: "approval_required";
        };
        /** @description One chain and token. */
        Balance: {
            /** @description The chain. */
            chain: string;
            /** @description The symbol; null if unknown. */
            asset: string | null;
            /** @description The contract of the token; all zeros for native coin. */
            tokenAddress: string;
            /** @description Confirmed, and promised to no settlement or refund. */
            held: string | null;
            /** @description The sum of incoming, settling and refunding. */
            inFlight: string | null;
            /** @description Payments that are seen and not confirmed. */
            incoming: string | null;
            /** @description Settlements that are not confirmed, with their fees. */
            settling: string | null;
            /** @description Refunds that are not confirmed. */
            refunding: string | null;
            /** @description What confirmed settlements brought to recipients. */
            settled: string | null;
            /** @description What they brought the service. */
            fees: string | null;
            /** @description The amount of confirmed refunds. */
            refunded: string | null;
            /** @description The amount of refunds that you sent from settled money. */
            externallyRefunded: string | null;
        };
        BodyTooLargeError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "request body too large";
            /** @constant */
            code?: "body_too_large";
        };
        BudgetExceededError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "request budget exceeded";
            /** @constant */
            code?: "budget_exceeded";
        };
        /** @description A chain on which invoices can be paid. */
        Chain: {
            /** @description The networkId. */
            id: string;
            /** @description The readable name. */
            name: string;
            /** @description The EVM chain id. */
            chainId: number;
            /** @description True on test networks. */
            isTestnet: boolean;
        };
        ChainNotLocalError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "chain not local";
            /** @constant */
            code?: "chain_not_local";
        };
        /** @description What the channel is, as its contract has it. */
        ChannelConfig: {
            [key: string]: unknown;
        };
        ChannelNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "channel not found";
            /** @constant */
            code?: "channel_not_found";
        };
        /** @description What a server keeps of a channel, in base units. */
        ChannelVoucher: {
            /** @description The highest that the payer has signed. */
            maxClaimableAmount: string | null;
            /** @description Its signature. */
            signature: string | null;
            /** @description What is charged. */
            chargedCumulativeAmount: string;
            /** @description What is claimed. */
            totalClaimed: string;
            /** @description The server's own text. */
            record: string | null;
            /** @description Grows with every change. */
            version: number;
        };
        ChannelVoucherAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["ChannelVoucher"];
        };
        /** @description The amount due in a fiat currency. */
        CheckoutFiat: {
            /** @description ISO 4217. */
            currency: string;
            /** @description In its major unit. */
            amount: string;
        };
        /** @description Who is paid. */
        CheckoutMerchant: {
            /** @description The merchant's name. */
            name: string;
            /** @description The path of the logo on this server. */
            logoUrl: string | null;
            /** @description The merchant's colour. */
            accent: string | null;
            /** @description Where payers find help. */
            supportEmail: string | null;
            /** @description Where payers find help. */
            supportUrl: string | null;
        };
        /** @description What is to be paid, and how far it is. */
        CheckoutPayment: {
            /** @description For the payer to quote. */
            reference: string;
            /** @description The token to send. */
            tokenSymbol: string;
            /** @description The decimals of the token. */
            decimals: number;
            /** @description The amount due. */
            expected: components["schemas"]["Amount"];
            /** @description What is confirmed and came in time. */
            received: components["schemas"]["Amount"];
            /** @description What is mined and not confirmed. */
            pending: components["schemas"]["Amount"];
            /** @description What is still to be sent. */
            due: components["schemas"]["Amount"];
            /** @description What came above it. */
            overpaid: components["schemas"]["Amount"];
            /** @description What came after the end. */
            late: components["schemas"]["Amount"];
            /** @description Where to send, on any of these networks. */
            addresses: components["schemas"]["PayableAddress"][];
            /** @description What arrived, in the order seen. */
            transfers: components["schemas"]["PayerTransfer"][];
            /**
             * Format: date-time
             * @description When the payment was confirmed in full.
             */
            paidAt: string | null;
            /**
             * Format: date-time
             * @description When it was settled to the merchant.
             */
            completedAt: string | null;
        };
        /** @description A session, and its page. */
        CheckoutSession: {
            /** @description The session. Its id is enough to pay. */
            id: string;
            /**
             * Format: uri
             * @description The page to send the payer to.
             */
            url: string;
            /**
             * Format: date-time
             * @description Until when it can be paid in time.
             */
            expiresAt: string | null;
            /** @description The session that it replaces. */
            formerSession: string | null;
            view: components["schemas"]["CheckoutView"];
        };
        CheckoutSessionAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["CheckoutSession"];
        };
        /** @description What a merchant decides about its pages. */
        CheckoutSettings: {
            /** @description As payers read it; null for the name of the merchant. */
            name: string | null;
            /** @description The path of the logo on this server. */
            logoUrl: string | null;
            /** @description The merchant's colour. */
            accent: string | null;
            /** @description Where payers find help. */
            supportEmail: string | null;
            /** @description Where payers find help. */
            supportUrl: string | null;
            /** @description The URL that payers return to. */
            returnUrl: string | null;
            /** @description Pages that may begin sessions. */
            allowedOrigins: string[];
            /** @description For how many seconds sessions can be paid. */
            defaultExpiry: number | null;
            /** @description Of the pages; empty for all. */
            languages: string[];
            /** @description The default underpayment tolerance. */
            underpaymentTolerance: string;
            /**
             * Format: date-time
             * @description When they were changed last.
             */
            updatedAt: string | null;
        };
        CheckoutSettingsAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["CheckoutSettings"];
        };
        /** @description What a payer is shown of a session. */
        CheckoutView: {
            /** @description The session. */
            id: string;
            /** @description Grows with every change. */
            version: number;
            /**
             * @description Its state.
             * @enum {string}
             */
            state: "choosing" | "waiting" | "seen" | "partial" | "paid" | "completed" | "expired";
            merchant: components["schemas"]["CheckoutMerchant"];
            /** @description What is bought. */
            description: string | null;
            /** @description The amount due in a fiat currency. */
            fiat: components["schemas"]["CheckoutFiat"] | null;
            /** @description What the payer may choose from. */
            tokens: components["schemas"]["TokenChoice"][];
            /** @description What is to be paid, and how far it is. */
            payment: components["schemas"]["CheckoutPayment"] | null;
            /** @description Money that went to an address shown before another token was chosen. */
            earlier: components["schemas"]["PayerTransfer"][];
            /** @description The last hashes that were pasted, newest first. */
            lookups: components["schemas"]["HashLookup"][];
            /** @description The payer's refund address. */
            refundAddress: string | null;
            /** @description Where the payer continues. */
            returnUrl: string | null;
            /** @description The network that the payer chose last. */
            chosenNetwork: string | null;
            /** @description Whether the page offers to start again after the end. */
            canStartAgain: boolean;
            /** @description When it began. */
            createdAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description Until when it can be paid in time.
             */
            expiresAt: string | null;
            /** @description The server's clock. */
            now: components["schemas"]["Time"];
        };
        CheckoutViewAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["CheckoutView"];
        };
        ChoiceNotPossibleError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "choice not possible";
            /** @constant */
            code?: "choice_not_possible";
        };
        ClientReferenceConflictError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "clientReference conflict";
            /** @constant */
            code?: "client_reference_conflict";
        };
        /** @description Where this page ends. */
        CursorPagination: {
            /** @description The most events that a page has. */
            limit: number;
            /** @description True when there are more events already. */
            hasMore: boolean;
            /**
             * Format: uuid
             * @description The `after` of the next page.
             */
            nextAfter: string | null;
        };
        /** @description One event on its way to one endpoint. */
        Delivery: {
            /**
             * Format: uuid
             * @description Identifies the delivery.
             */
            id: string;
            /**
             * Format: uuid
             * @description The endpoint it is for.
             */
            endpointId: string;
            /**
             * Format: uuid
             * @description The event, also the `webhook-id` of every attempt.
             */
            eventId: string;
            /** @description The type of the event. */
            eventType: components["schemas"]["EventType"];
            /**
             * @description `pending` while an attempt is to come, `succeeded` once it was answered with 2xx, `failed` when no attempt is to come.
             * @enum {string}
             */
            state: "pending" | "succeeded" | "failed";
            /** @description The number of attempts. */
            attemptCount: number;
            /** @description The HTTP status of the last answer; null when there was none. */
            lastStatus: number | null;
            /** @description Why the last attempt failed, e.g. `timeout`, `redirect`, `http_500`, `tls_error`. */
            lastError: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due.
             */
            nextAttemptAt: string | null;
            /** @description When the delivery was created. */
            createdAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description When it succeeded or failed.
             */
            finishedAt: string | null;
        };
        DeliveryAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["Delivery"];
        };
        /** @description One attempt. */
        DeliveryAttempt: {
            /** @description Counted from 1, repeated deliveries included. */
            number: number;
            /** @description When it began. */
            at: components["schemas"]["Time"];
            /** @description Duration in milliseconds. */
            latencyMs: number;
            /** @description The HTTP status; null without an answer. */
            status: number | null;
            /** @description The reason of a failure; null for a success. */
            error: string | null;
            /** @description The first 4 KB of the answer's body. */
            answer: string | null;
        };
        DeliveryNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "delivery not found";
            /** @constant */
            code?: "delivery_not_found";
        };
        /** @description The delivery and its attempts. */
        DeliveryWithAttempts: components["schemas"]["Delivery"] & {
            /** @description The newest 100, the earliest of them first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
        };
        DeliveryWithAttemptsAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["DeliveryWithAttempts"];
        };
        /** @description The deposit address on one chain. */
        DepositAddress: {
            /** @description The chain. */
            networkId: string;
            /** @description The readable name of the chain. */
            network: string;
            /** @description The same as `network`. */
            networkName: string;
            /** @description The symbol of the chain's native coin. */
            networkSymbol: string;
            /** @description Where the customer sends the tokens. */
            address: components["schemas"]["Address"];
            /** @description The contract of the accepted token on this chain. */
            tokenAddress: components["schemas"]["Address"];
        };
        /** @description What is wrong with which part of the request. */
        Details: components["schemas"]["ErrorDetail"][];
        EndpointConflictError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "endpoint conflict";
            /** @constant */
            code?: "endpoint_conflict";
        };
        EndpointDisabledError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "endpoint disabled";
            /** @constant */
            code?: "endpoint_disabled";
        };
        /** @description A webhook endpoint answered 410, or nothing but failures for five days. */
        EndpointDisabledEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "endpoint.disabled";
            data?: components["schemas"]["WebhookEndpointEventData"];
        };
        EndpointNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "endpoint not found";
            /** @constant */
            code?: "endpoint_not_found";
        };
        /** @description One thing to change. */
        ErrorDetail: {
            /** @description The field, with dots between levels; empty for the whole. */
            path: string;
            /** @description What it has to be. */
            message: string;
        };
        /**
         * Format: uri-reference
         * @description Where it is explained.
         */
        ErrorPage: string;
        /** @description Something that happened to what belongs to the merchant. */
        Event: components["schemas"]["WebhookEvent"] & {
            /**
             * Format: uuid
             * @description Identifies the event; its webhooks have it as `webhook-id`.
             */
            id: string;
        };
        EventAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["Event"];
        };
        /** @description The metadata of every event. */
        EventMarks: {
            /**
             * @description Where it happened.
             * @enum {string}
             */
            environment: "sandbox" | "live";
            /** @description It grows with each event of the same object. */
            version: number;
            /** @description True in requested test events. */
            test?: boolean;
        };
        EventNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "event not found";
            /** @constant */
            code?: "event_not_found";
        };
        /**
         * @description A type.
         * @enum {string}
         */
        EventType: "invoice.created" | "invoice.payment_detected" | "invoice.payment_confirmed" | "invoice.payment_reverted" | "invoice.partially_paid" | "invoice.paid" | "invoice.overpaid" | "invoice.late_payment" | "invoice.unexpected_payment" | "invoice.voided" | "invoice.expired" | "invoice.completed" | "settlement.retrying" | "settlement.failed" | "refund.created" | "refund.completed" | "refund.failed" | "x402.payment.settled" | "x402.payment.failed" | "x402.channel.withdrawing" | "endpoint.disabled" | "test";
        /** @description An error with details of what to change. */
        ExplainedError: {
            success: components["schemas"]["Failure"];
            /** @description In words. */
            error: string;
            /** @description Stable. */
            code: string;
            docs: components["schemas"]["ErrorPage"];
            traceId: components["schemas"]["TraceId"];
            details: components["schemas"]["Details"];
        };
        ExternalRefConflictError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "externalRef conflict";
            /** @constant */
            code?: "external_ref_conflict";
        };
        /** @description A payment and its requirements. */
        FacilitatorRequest: {
            /** @description The protocol version: 1 or 2. */
            x402Version: number;
            /** @description The payment that the client sent: the header X-PAYMENT as it came (base64), or the object in it, as stock clients of x402 v1 and v2 send it. */
            paymentPayload: unknown;
            /** @description One accepted payment option, unchanged as it was in the 402 response. v1 names the price maxAmountRequired and the network by its name. */
            paymentRequirements: Record<string, unknown>;
        };
        /**
         * @description An error.
         * @constant
         */
        Failure: false;
        /** @description A found invoice. */
        Found: {
            /**
             * @description By what it was found.
             * @enum {string}
             */
            kind: "id" | "reference" | "external_ref" | "transaction" | "deposit_address" | "payer";
            /**
             * Format: uuid
             * @description The invoice.
             */
            invoiceId: string;
            /** @description Its reference. */
            reference: string;
            /** @description The caller's own reference. */
            externalRef: string | null;
            /**
             * @description Its status.
             * @enum {string}
             */
            status: "pending" | "partial" | "paid" | "completed";
            /** @description The amount due. */
            amountExpected: components["schemas"]["Amount"];
            /** @description Its token. */
            tokenSymbol: string;
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
        };
        /** @description One transfer to the deposit address. */
        FoundTransfer: {
            /** @description Identifies the transfer in the ledger; null when it is not recorded. */
            transactionId: string | null;
            /**
             * @description What became of it. `unsupported_token`: submit it again once the operator lists its contract with RECOVERABLE_TOKENS.
             * @enum {string}
             */
            outcome: "recorded" | "known" | "unsupported_token";
            /** @description Which log of its block it is; null for coin and for what the balance shows. */
            logIndex: number | null;
            /** @description The symbol; null if unknown. */
            asset: string | null;
            /** @description The contract of the token; all zeros for native coin. */
            tokenAddress: string;
            /** @description Who sent it; all zeros where that is not known. */
            from: string;
            /** @description What was transferred, null when the token is unknown. */
            amount: string | null;
            /** @description What was transferred, in the token's smallest unit. */
            baseUnits: string;
        };
        /** @description What came of a transaction hash. */
        HashLookup: {
            /** @description The transaction. */
            hash: components["schemas"]["TransactionHash"];
            /**
             * @description `payment`: for this session; `other_network`, `other_token`: the wrong money at the right address; `elsewhere`: nothing here; `looking`: not looked up everywhere yet.
             * @enum {string}
             */
            verdict: "payment" | "late" | "other_network" | "other_token" | "elsewhere" | "failed" | "not_mined" | "unknown" | "looking";
            /** @description Where it was found. */
            networkName: string | null;
            /** @description When it was looked up. */
            at: components["schemas"]["Time"];
        };
        HashLookupAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["HashLookup"];
        };
        /** @description The process. */
        Health: {
            /** @description Always `ok`. */
            status: string;
            /** @description The release that runs. */
            version: string;
        };
        HealthAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["Health"];
        };
        IdempotencyKeyConflictError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "idempotencyKey conflict";
            /** @constant */
            code?: "idempotency_key_conflict";
        };
        IdempotencyKeyInFlightError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "idempotency key in flight";
            /** @constant */
            code?: "idempotency_key_in_flight";
        };
        IdempotencyKeyReusedError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "idempotency key conflict";
            /** @constant */
            code?: "idempotency_key_reused";
        };
        /** @description Status 500. */
        InternalError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "internal error";
            /** @constant */
            code?: "internal_error";
        };
        InvalidDeliveryIdError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid delivery id";
            /** @constant */
            code?: "invalid_delivery_id";
        };
        InvalidEndpointIdError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid endpoint id";
            /** @constant */
            code?: "invalid_endpoint_id";
        };
        InvalidEventIdError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid event id";
            /** @constant */
            code?: "invalid_event_id";
        };
        InvalidGraphqlQueryError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid GraphQL query";
            /** @constant */
            code?: "invalid_graphql_query";
        };
        InvalidInvoiceIdError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid invoice id";
            /** @constant */
            code?: "invalid_invoice_id";
        };
        InvalidPaymentIdError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid payment id";
            /** @constant */
            code?: "invalid_payment_id";
        };
        InvalidPaymentLinkIdError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid payment link id";
            /** @constant */
            code?: "invalid_payment_link_id";
        };
        InvalidPriceIdError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid price id";
            /** @constant */
            code?: "invalid_price_id";
        };
        InvalidQueryParametersError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid query parameters";
            /** @constant */
            code?: "invalid_query_parameters";
        };
        InvalidRecipientError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid recipient address";
            /** @constant */
            code?: "invalid_recipient";
        };
        InvalidRefundAddressError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid refund address";
            /** @constant */
            code?: "invalid_refund_address";
        };
        InvalidRequestBodyError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid request body";
            /** @constant */
            code?: "invalid_request_body";
        };
        InvalidTransactionIdError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invalid transaction id";
            /** @constant */
            code?: "invalid_transaction_id";
        };
        /** @description An invoice. */
        Invoice: components["schemas"]["InvoiceRecord"] & {
            /**
             * Format: uri
             * @description Its checkout page.
             */
            checkoutUrl: string;
        };
        InvoiceAlreadyPaidError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "invoice already paid";
            /** @constant */
            code?: "invoice_already_paid";
        };
        InvoiceAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["Invoice"];
        };
        /** @description Everything received on time was paid out to the merchant, minus the fee. */
        InvoiceCompletedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.completed";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description An invoice was created. */
        InvoiceCreatedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.created";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description The invoice as it stood. Of very many transactions, settlements, refunds and other deposits it has the newest. */
        InvoiceEventData: components["schemas"]["InvoiceRecord"] & {
            /** @description All transactions of it, those not shown included. */
            transactionCount?: number;
        } & components["schemas"]["EventMarks"];
        /** @description The invoice expired on every chain without being paid. */
        InvoiceExpiredEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.expired";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description What was converted; null for an amount of the token. */
        InvoiceFiat: {
            /** @description ISO 4217. */
            currency: string;
            /** @description The requested amount, in its major unit. */
            amount: string;
            /** @description How much of the token one unit of it is. */
            rate: string;
            /** @description The moment of which the rate is. */
            at: components["schemas"]["Time"];
            /** @description The source of the rate; `fixed` for the currency that the token represents. */
            source: string;
        };
        /** @description A payment was received after the expiry; it is recorded and not counted. */
        InvoiceLatePaymentEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.late_payment";
            data?: components["schemas"]["InvoiceEventData"];
        };
        InvoiceNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "invoice not found";
            /** @constant */
            code?: "invoice_not_found";
        };
        /** @description More than the amount due is confirmed. */
        InvoiceOverpaidEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.overpaid";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description The whole amount due is confirmed. */
        InvoicePaidEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.paid";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description A part of the amount due is confirmed. */
        InvoicePartiallyPaidEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.partially_paid";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description A payment has the chain's confirmations; a late one is reported only once it is accepted. */
        InvoicePaymentConfirmedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.payment_confirmed";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description A payment was detected on-chain and awaits confirmations. */
        InvoicePaymentDetectedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.payment_detected";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description A reorganisation of the chain removed a detected payment. */
        InvoicePaymentRevertedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.payment_reverted";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description What is known of it. */
        InvoiceRecord: {
            /**
             * Format: uuid
             * @description Identifies the invoice.
             */
            id: string;
            /**
             * Format: uuid
             * @description The merchant who owns the invoice.
             */
            merchantId: string;
            /** @description The caller's own reference and idempotency key. */
            externalRef: string | null;
            /** @description Ten characters that are safe to share with customers. */
            reference: string;
            /** @description One deposit address for each chain of the invoice. */
            addresses: components["schemas"]["DepositAddress"][];
            /** @description Receives the settled funds; null while none is configured. */
            recipient: components["schemas"]["Recipient"] | null;
            /** @description The accepted token on targetNetwork, else on the first chain. */
            tokenAddress: components["schemas"]["Address"];
            /** @description The ticker of the accepted token. */
            tokenSymbol: string;
            /** @description The chain of the first payment; null before it. */
            targetNetwork: string | null;
            /** @description The amount due. */
            amountExpected: components["schemas"]["Amount"];
            /** @description What was converted; null for an amount of the token. */
            fiat: components["schemas"]["InvoiceFiat"] | null;
            /** @description The amount that the merchant accepted as paid; null without one. */
            acceptedAmount: string | null;
            /** @description What is seen but not confirmed yet; null when nothing is. */
            pendingAmount: string | null;
            /** @description What is confirmed and came in time. */
            receivedAmount: components["schemas"]["Amount"];
            /** @description What came after the expiry; not part of receivedAmount. */
            lateAmount: components["schemas"]["Amount"];
            /** @description What refunds have brought back of the invoice's own token. */
            refundedAmount: components["schemas"]["Amount"];
            /** @description The protocol fee, taken once at settlement. */
            platformFee: components["schemas"]["Amount"];
            /** @description What was forwarded to the recipient so far. */
            amountRemitted: components["schemas"]["Amount"];
            /** @description What was received above amountExpected. */
            overpaidAmount: components["schemas"]["Amount"];
            /** @description What of an overpayment is in your treasury; null when nothing is. */
            settledOverpayment: components["schemas"]["SettledOverpayment"] | null;
            /** @description How much less than amountExpected is enough. */
            underpaymentTolerance: components["schemas"]["Amount"];
            /** @description What is missing of it although the invoice is paid. */
            toleratedAmount: components["schemas"]["Amount"];
            /**
             * @description The invoice's status.
             * @enum {string}
             */
            status: "pending" | "partial" | "paid" | "completed";
            /** @description True when the payment window is over and the invoice is not paid. */
            expired: boolean;
            /**
             * @description Why a paid invoice is not settled at once. `retrying`: sending it failed, and it is sent again; `failed`: it is retried, with long pauses.
             * @enum {string}
             */
            settlementState: "none" | "due" | "screening" | "no_recipient" | "below_gas_threshold" | "retrying" | "failed";
            /** @description Why the last settlement failed, in the words of the chain. */
            settlementError: string | null;
            /**
             * Format: date-time
             * @description Payments in later blocks are late.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the merchant ended the invoice.
             */
            closedAt: string | null;
            /** @description Where the payer wants money back, as left on the page. Refunds by API key never go there. */
            payerRefundAddress: components["schemas"]["Address"] | null;
            /** @description When the invoice was created. */
            createdAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description When it was paid in full.
             */
            paidAt: string | null;
            /**
             * Format: date-time
             * @description When all was forwarded.
             */
            completedAt: string | null;
            /** @description What was attached at creation. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The payments, in the order they were detected. */
            transactions: components["schemas"]["Transaction"][];
            /** @description How the money was forwarded. */
            settlements: components["schemas"]["Settlement"][];
            /** @description The refunds, in the order of the requests. */
            refunds: components["schemas"]["Refund"][];
            /** @description Other tokens at the address. */
            otherDeposits: components["schemas"]["OtherDeposit"][];
        };
        /** @description Another token, native coin or money on another chain is confirmed and held, in `otherDeposits`. */
        InvoiceUnexpectedPaymentEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.unexpected_payment";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description The invoice was voided; later payments count as late. */
        InvoiceVoidedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "invoice.voided";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description A network to pay on. */
        NetworkChoice: {
            /** @description The chain. */
            networkId: string;
            /** @description Its name. */
            name: string;
            /**
             * @description `slow` when blocks, or our reads of them, are late.
             * @enum {string}
             */
            health: "ok" | "slow";
            /** @description From a payment's block to its confirmation. */
            usualSeconds: number;
            /** @description The usual network fee in dollars; null on test networks. */
            usualFeeUsd: string | null;
        };
        NoSupportedChainsError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "no supported chains for token";
            /** @constant */
            code?: "no_supported_chains";
        };
        NothingReceivedError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "nothing received";
            /** @constant */
            code?: "nothing_received";
        };
        /** @description Status 503. */
        NotReadyError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "service unavailable";
            /** @constant */
            code?: "service_unavailable";
        } & {
            /** @description What keeps invoices from being paid or settled, or merchants from hearing of it. */
            problems?: string[];
            /** @description What will do so unless an operator intervenes. */
            warnings?: string[];
        };
        OriginNotAllowedError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "origin not allowed";
            /** @constant */
            code?: "origin_not_allowed";
        };
        /** @description Tokens at the deposit address that count for nothing. */
        OtherDeposit: {
            /**
             * Format: uuid
             * @description Identifies the transfer.
             */
            id: string;
            /** @description The hash of the on-chain transaction. */
            txHash: components["schemas"]["TransactionHash"];
            /** @description The chain, which may be one that the invoice does not list. */
            chain: string;
            /** @description The symbol; null if unknown. */
            asset: string | null;
            /** @description The contract of the token; all zeros for native coin. */
            tokenAddress: components["schemas"]["Address"];
            /** @description Who sent the tokens. */
            from: components["schemas"]["Address"];
            /** @description What was transferred, null when the token is unknown. */
            amount: string | null;
            /** @description What was transferred, in the token's smallest unit. */
            baseUnits: string;
            /** @description The refunded part. */
            refundedBaseUnits: string;
            /** @description The part of pending refunds. */
            refundingBaseUnits: string;
            /**
             * @description How certain it is.
             * @enum {string}
             */
            status: "pending" | "confirmed" | "reverted";
            /** @description The number of its block. */
            blockNumber: number;
            /** @description When it was first seen. */
            createdAt: components["schemas"]["Time"];
        };
        /** @description An address of your own. */
        OwnAddress: {
            /** @description The address. */
            address: components["schemas"]["Address"];
            /** @description The only chain where it is yours; null for all. */
            network: string | null;
            /** @description When it was registered. */
            createdAt: components["schemas"]["Time"];
        };
        OwnAddressAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["OwnAddress"];
        };
        OwnerMissingError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "owner missing";
            /** @constant */
            code?: "owner_missing";
        };
        /** @description The envelope of a list. */
        PageAnswer: {
            success: components["schemas"]["Success"];
            metadata: components["schemas"]["PageMetadata"];
        };
        /** @description The cursors of a page. */
        PageCursors: {
            /** @description The most elements that a page has. */
            limit: number;
            /** @description The `after` of the next page; null at the end. */
            next: string | null;
            /** @description The `before` of the page before; null at the start. */
            previous: string | null;
        };
        /** @description About the list. */
        PageMetadata: {
            /** @description Its place. */
            pagination: components["schemas"]["Pagination"] | components["schemas"]["PageCursors"];
        };
        /** @description Where this page lies in the list. */
        Pagination: {
            /** @description The page, counted from 1. */
            page: number;
            /** @description The most elements that a page has. */
            limit: number;
            /** @description How many elements match, on all pages. */
            total: number;
            /** @description How many pages there are; 0 when nothing matches. */
            totalPages: number;
        };
        /** @description Where to send on one network. */
        PayableAddress: {
            /** @description The chain. */
            networkId: string;
            /** @description Its name. */
            name: string;
            /** @description The number of the chain, as wallets know it. */
            chainId: number;
            /** @description The symbol of the chain's coin. */
            coinSymbol: string;
            /** @description A public RPC URL for wallets. */
            publicRpc: string;
            /** @description Where to send. */
            address: components["schemas"]["Address"];
            /** @description The contract of the token. */
            tokenAddress: components["schemas"]["Address"];
            /** @description The base of the chain's explorer. */
            explorer: string;
        };
        /** @description Money that arrived. */
        PayerTransfer: {
            /** @description The chain. */
            networkId: string;
            /** @description Its name. */
            networkName: string;
            /** @description The ticker of what was sent. */
            tokenSymbol: string;
            /** @description How much of it. */
            amount: string;
            /** @description The part in pending refunds. */
            returning: string;
            /** @description The refunded part. */
            returned: string;
            /** @description The transaction. */
            hash: components["schemas"]["TransactionHash"];
            /** @description Who sent it. */
            sender: components["schemas"]["Address"] | null;
            /** @description Its page on the explorer. */
            explorerUrl: string;
            /**
             * @description How certain it is.
             * @enum {string}
             */
            status: "pending" | "confirmed" | "reverted";
            /**
             * @description `late`: after the end; `other`: another token or network, and counts for nothing.
             * @enum {string}
             */
            kind: "counted" | "late" | "other";
            /** @description Blocks so far, its own included. */
            confirmations: number;
            /** @description Blocks that confirm it. */
            confirmationsNeeded: number;
            /** @description The time of its block. */
            at: components["schemas"]["Time"];
        };
        /** @description A lasting address to pay a price at. */
        PaymentLink: {
            /**
             * Format: uuid
             * @description Identifies the link.
             */
            id: string;
            /**
             * Format: uri
             * @description What to send or print.
             */
            url: string;
            /**
             * Format: uuid
             * @description The price.
             */
            price: string;
            /** @description How many payments it takes; null for any number. */
            usesLimit: number | null;
            /** @description How often it was paid. */
            uses: number;
            /**
             * Format: date-time
             * @description Until when it takes payers.
             */
            endsAt: string | null;
            /** @description False once it is switched off. */
            active: boolean;
            /** @description Whether it takes payers now. */
            open: boolean;
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
            /** @description When it was changed last. */
            updatedAt: components["schemas"]["Time"];
        };
        PaymentLinkAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["PaymentLink"];
        };
        PaymentLinkNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "payment link not found";
            /** @constant */
            code?: "payment_link_not_found";
        };
        PaymentNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "payment not found";
            /** @constant */
            code?: "payment_not_found";
        };
        /** @description The parts of a 402 body. */
        PaymentRequired: {
            /** @description The version to send in the 402 body and to verify and settle. */
            x402Version: number;
            requirements: components["schemas"]["PaymentRequirements"];
            /** @description All prices that can be paid, the newest first. */
            accepts: components["schemas"]["PaymentRequirements"][];
        };
        PaymentRequiredAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["PaymentRequired"];
        };
        /** @description One accepted payment option: to be put into the 402 body, and passed back unchanged. */
        PaymentRequirements: {
            /**
             * @description How it is paid, always `exact`.
             * @enum {string}
             */
            scheme: "exact";
            /** @description The chain (CAIP-2). */
            network: string;
            /** @description The price in the token's smallest unit. */
            amount: string;
            /** @description The token's contract. */
            asset: components["schemas"]["Address"];
            /** @description The forwarder that receives the payment. */
            payTo: components["schemas"]["Address"];
            /** @description For how long the caller should sign. */
            maxTimeoutSeconds: number;
            extra: components["schemas"]["PaymentRequirementsExtra"];
            /** @description The description of the endpoint. */
            description: string;
        };
        /** @description What the caller needs in order to sign, and the price that it pays. */
        PaymentRequirementsExtra: {
            /** @description The name in the token's EIP-712 domain. */
            name: string;
            /** @description The version in that domain. */
            version: string;
            /**
             * Format: uuid
             * @description The merchant.
             */
            merchantId: string;
            /**
             * Format: uuid
             * @description The endpoint that is paid for.
             */
            endpointId: string;
        };
        /** @description Prices, payment links and sessions. */
        Price: {
            /**
             * Format: uuid
             * @description Identifies the price. It is no secret.
             */
            id: string;
            /** @description The amount due, in any of the tokens or in the currency. */
            amount: components["schemas"]["Amount"];
            /** @description What the amount is in; null for the tokens. ISO 4217. */
            currency: string | null;
            /** @description The tokens that the payer may choose from. */
            tokens: string[];
            /** @description The chains that are offered; empty for all. */
            chains: string[];
            /** @description What is bought, as the payer reads it. */
            description: string | null;
            /** @description For how many seconds a session can be paid; null for the merchant's usual time. */
            expiresAfter: number | null;
            /** @description Becomes the metadata of every invoice that is made of the price. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description False for a price that can be paid once. */
            reusable: boolean;
            /** @description The underpayment tolerance; null for the merchant's default. */
            underpaymentTolerance: string | null;
            /** @description False when deactivated: it creates no new invoices. */
            active: boolean;
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
            /** @description When it was changed last. */
            updatedAt: components["schemas"]["Time"];
        };
        PriceAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["Price"];
        };
        PriceNotActiveError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "price not active";
            /** @constant */
            code?: "price_not_active";
        };
        PriceNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "price not found";
            /** @constant */
            code?: "price_not_found";
        };
        /** @description Status 503. */
        RateUnavailableError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "exchange rate unavailable";
            /** @constant */
            code?: "rate_unavailable";
        };
        /** @description The system. */
        Readiness: {
            /** @description Always `ready`. */
            status: string;
            /** @description What keeps invoices from being paid or settled, or merchants from hearing of it. */
            problems?: string[];
            /** @description What will do so unless an operator intervenes. */
            warnings?: string[];
            x402?: components["schemas"]["UndecidedPayments"];
        };
        ReadinessAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["Readiness"];
        };
        /** @description Receives the settled funds; null while none is configured. */
        Recipient: {
            /**
             * @description The kind of chain, always `evm`.
             * @enum {string}
             */
            chainType: "evm";
            /** @description The treasury. */
            address: components["schemas"]["Address"];
        };
        /** @description A change of the recipient. */
        RecipientChange: {
            /**
             * Format: uuid
             * @description The change.
             */
            id: string;
            /** @description The new address. */
            recipient: components["schemas"]["Address"];
            /** @description The recipient at the time of the request. */
            replaces: components["schemas"]["Address"] | null;
            /**
             * @description What has become of it. It can be cancelled while it waits.
             * @enum {string}
             */
            status: "needs_approval" | "waiting" | "in_force" | "cancelled" | "refused" | "expired" | "replaced" | "impossible";
            /** @description Its requester. */
            requestedBy: string;
            /** @description When. */
            requestedAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description When it becomes active; null while it awaits approval.
             */
            inForceAt: string | null;
            /**
             * Format: date-time
             * @description When it became active or was cancelled.
             */
            endedAt: string | null;
            /** @description Who or what cancelled it. */
            endedBy: string | null;
        };
        RecipientChangeAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["RecipientChange"];
        };
        RecipientChangeNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "recipient change not found";
            /** @constant */
            code?: "recipient_change_not_found";
        };
        RecipientChangeOpenError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "recipient change open";
            /** @constant */
            code?: "recipient_change_open";
        };
        /** @description Held money. */
        Recovery: {
            /**
             * Format: uuid
             * @description The invoice that it was paid to.
             */
            invoiceId: string;
            /** @description The reference of that invoice. */
            invoiceRef: string;
            /** @description The caller's own reference. */
            externalRef: string | null;
            /** @description The payment to accept or to name in a refund; null for on-time money as a whole. */
            transactionId: string | null;
            /** @description The chain. */
            chain: string;
            /** @description The symbol; null if unknown. */
            asset: string | null;
            /** @description The contract of the token; all zeros for native coin. */
            tokenAddress: string;
            /** @description Who sent it; null for on-time money as a whole. */
            from: string | null;
            /** @description The held amount, null when the token is unknown. */
            amount: string | null;
            /** @description The held amount, in the token's smallest unit. */
            baseUnits: string;
            /**
             * @description Why it is held.
             * @enum {string}
             */
            reason: "late" | "wrong_token" | "wrong_chain" | "partial" | "underpaid" | "no_recipient" | "below_gas_threshold" | "screening" | "blocked_recipient" | "settlement_failed";
            /** @description The same as a sentence. */
            about: string;
            /**
             * Format: date-time
             * @description When a partially paid invoice expires; null if it never does.
             */
            expiresAt: string | null;
            /** @description The chain's error, where sending it failed. */
            error: string | null;
            /** @description What can be done. */
            actions: ("accept_transaction" | "accept_partial" | "refund" | "set_recipient" | "wait")[];
            /** @description To whom it can go back, and how much at most. */
            refundTo: {
                /** @description The address. */
                address: string;
                /** @description The most. */
                amount: string | null;
            }[];
            /** @description What else such money allows, and why not here. */
            refused: components["schemas"]["RefusedAction"][];
            /** @description Since when. */
            since: components["schemas"]["Time"];
        };
        /** @description A refund. */
        Refund: {
            /**
             * Format: uuid
             * @description Identifies the refund.
             */
            id: string;
            /**
             * Format: uuid
             * @description The invoice whose money goes back; null of an x402 payment.
             */
            invoiceId: string | null;
            /** @description The reference of the invoice; null of an x402 payment. */
            invoiceRef: string | null;
            /**
             * Format: uuid
             * @description The merchant.
             */
            merchantId: string;
            /** @description Null until it is mined. */
            txHash: components["schemas"]["TransactionHash"] | null;
            /** @description The chain. */
            chain: string;
            /** @description The symbol; null if unknown. */
            asset: string | null;
            /** @description The contract of the token; all zeros for native coin. */
            tokenAddress: components["schemas"]["Address"];
            /** @description The refunded amount, null when the token is unknown. */
            amount: string | null;
            /**
             * @description How far it is.
             * @enum {string}
             */
            status: "open" | "mined" | "confirmed" | "failed";
            /**
             * @description Always `refund`.
             * @enum {string}
             */
            type: "refund";
            /** @description The number of its block; null until it is mined. */
            blockNumber: number | null;
            /**
             * Format: date-time
             * @description When it was confirmed.
             */
            confirmedAt: string | null;
            /** @description When it was requested. */
            createdAt: components["schemas"]["Time"];
            /**
             * Format: uuid
             * @description The x402 payment that goes back; null of an invoice.
             */
            x402PaymentId: string | null;
            /**
             * Format: uuid
             * @description The payment that was named; null for on-time money as a whole.
             */
            transactionId: string | null;
            /** @description The caller's own key. */
            idempotencyKey: string;
            /** @description Who receives the tokens. */
            address: components["schemas"]["Address"];
            /** @description The refunded amount, in the token's smallest unit. */
            baseUnits: string;
            /** @description True for refunds that you sent from your treasury. */
            external: boolean;
            /** @description Why it failed. */
            error: string | null;
            /** @description Why it is not on its way yet; null while nothing is in its way. */
            waiting: components["schemas"]["RefundWait"] | null;
        };
        RefundAddressKeptError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "refund address kept";
            /** @constant */
            code?: "refund_address_kept";
        };
        RefundAddressNotAllowedError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "refund address not allowed";
            /** @constant */
            code?: "refund_address_not_allowed";
        };
        RefundAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["Refund"];
        };
        RefundByPersonOnlyError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "refund by a person only";
            /** @constant */
            code?: "refund_by_person_only";
        };
        /** @description A refund's transaction has the chain's confirmations. */
        RefundCompletedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "refund.completed";
            data?: components["schemas"]["RefundEventData"];
        };
        /** @description A refund to a payer was created. */
        RefundCreatedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "refund.created";
            data?: components["schemas"]["RefundEventData"];
        };
        /** @description The refund as it stood. */
        RefundEventData: components["schemas"]["Refund"] & components["schemas"]["EventMarks"];
        /** @description A refund failed for good; the money is where it was. */
        RefundFailedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "refund.failed";
            data?: components["schemas"]["RefundEventData"];
        };
        RefundNotPossibleError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "refund not possible";
            /** @constant */
            code?: "refund_not_possible";
        };
        RefundOfTooManyPaymentsError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "refund of too many payments";
            /** @constant */
            code?: "refund_of_too_many_payments";
        };
        RefundSettledError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "refund from your treasury";
            /** @constant */
            code?: "refund_settled";
        };
        /** @description Why it is not on its way yet; null while nothing is in its way. */
        RefundWait: {
            /**
             * @description What it waits for.
             * @enum {string}
             */
            reason: "refund_limit" | "owner_approval" | "stopped";
            /** @description The same as a sentence. */
            about: string;
            /** @description Since when it waits. */
            since: components["schemas"]["Time"];
            /** @description The digest for the hub's owner to approve. */
            approvalDigest: string | null;
        };
        /** @description Why an action is not offered. */
        RefusedAction: {
            /** @description The action. */
            action: string;
            /** @description The error. */
            code: string;
            /** @description The reason. */
            about: string;
        };
        /** @description The success envelope. */
        RegisteredX402Endpoint: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["X402Endpoint"];
            payment_requirements: components["schemas"]["PaymentRequirements"];
        };
        ReplayLimitReachedError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "replay limit reached";
            /** @constant */
            code?: "replay_limit_reached";
        };
        /** @description One day, chain and token. */
        ReportDay: {
            /** @description The day in UTC. */
            day: string;
            /** @description The chain. */
            chain: string;
            /** @description The symbol; null if unknown. */
            asset: string | null;
            /** @description The contract of the token. */
            tokenAddress: string;
            /** @description How many payments were confirmed. */
            payments: number;
            /** @description Received in time, or accepted. */
            receivedAmount: string | null;
            /** @description Received late. */
            lateAmount: string | null;
            /** @description How many settlements were confirmed. */
            settlements: number;
            /** @description What they brought to recipients. */
            amountRemitted: string | null;
            /** @description Their part that is the platform fee. */
            fees: string | null;
            /** @description How many refunds were confirmed. */
            refunds: number;
            /** @description Their amount. */
            refundedAmount: string | null;
            /** @description How many you sent yourself were confirmed. */
            externalRefunds: number;
            /** @description Their amount. */
            externallyRefundedAmount: string | null;
            /** @description How many x402 payments were confirmed. */
            x402Payments: number;
            /** @description What they brought to the forwarder. */
            x402ReceivedAmount: string | null;
            /** @description Received at the merchant's own addresses. */
            x402DirectAmount: string | null;
            /** @description Fees owed for that. */
            x402FeesOwed: string | null;
            /** @description How many x402 refunds were confirmed. */
            x402Refunds: number;
            /** @description Their amount. */
            x402RefundedAmount: string | null;
            /** @description How often the forwarder was paid out. */
            x402Payouts: number;
            /** @description What that brought to the treasury. */
            x402AmountRemitted: string | null;
            /** @description What of it was the fee. */
            x402Fees: string | null;
        };
        ReportInProgressError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "another report is being read";
            /** @constant */
            code?: "report_in_progress";
        };
        ScenarioNotPossibleError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "scenario not possible";
            /** @constant */
            code?: "scenario_not_possible";
        };
        /** @description Status 503. */
        ServiceUnavailableError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "service unavailable";
            /** @constant */
            code?: "service_unavailable";
        };
        SessionNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "session not found";
            /** @constant */
            code?: "session_not_found";
        };
        /** @description What of an overpayment is in your treasury; null when nothing is. */
        SettledOverpayment: {
            /** @description How much. */
            amount: components["schemas"]["Amount"];
            /** @description Whom it was settled to. */
            addresses: components["schemas"]["Address"][];
            /** @description The same as a sentence. */
            about: string;
        };
        /** @description A settlement. */
        Settlement: {
            /**
             * Format: uuid
             * @description Identifies the settlement.
             */
            id: string;
            /**
             * Format: uuid
             * @description The invoice whose money was forwarded.
             */
            invoiceId: string;
            /** @description The reference of that invoice. */
            invoiceRef: string;
            /**
             * Format: uuid
             * @description The merchant.
             */
            merchantId: string;
            /** @description Null until it is mined. */
            txHash: components["schemas"]["TransactionHash"] | null;
            /** @description The chain. */
            chain: string;
            /** @description The symbol of the token. */
            asset: string;
            /** @description The contract of the token. */
            tokenAddress: components["schemas"]["Address"];
            /** @description What left the deposit address, the fee included. */
            amount: components["schemas"]["Amount"];
            /** @description The part that is the platform fee. */
            fee: components["schemas"]["Amount"];
            /** @description The part that the recipient got. */
            merchantAmount: components["schemas"]["Amount"];
            /**
             * @description How far it is.
             * @enum {string}
             */
            status: "open" | "mined" | "confirmed" | "failed";
            /**
             * @description Always `settlement`.
             * @enum {string}
             */
            type: "settlement";
            /** @description The number of its block; null until it is mined. */
            blockNumber: number | null;
            /**
             * Format: date-time
             * @description When it was confirmed.
             */
            confirmedAt: string | null;
            /** @description When it was decided. */
            createdAt: components["schemas"]["Time"];
            /** @description Who received the tokens. */
            recipient: components["schemas"]["Address"];
        };
        /** @description The settlement of a paid invoice failed; the money stays in its deposit. */
        SettlementFailedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "settlement.failed";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description The settlement of a paid invoice failed and is retried; `settlementError` gives the reason. */
        SettlementRetryingEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "settlement.retrying";
            data?: components["schemas"]["InvoiceEventData"];
        };
        /** @description The result. */
        SettleResponse: {
            /** @description Whether the payment was settled and this is the one call that reports it. */
            success: boolean;
            /** @description The transaction hash; empty when there is none. */
            transaction: string;
            /** @description The network, as the caller names it. */
            network: string;
            /**
             * Format: date-time
             * @description When it was settled.
             */
            settledAt: string | null;
            /** @description The payer, in lower case. */
            payer?: string;
            /** @description In the token's base units. */
            amount?: string;
            /** @description The token. */
            asset?: string;
            /**
             * Format: uuid
             * @description The payment.
             */
            paymentId?: string;
            /** @description Why not; only when success is false. Also as errorReason and error_reason. */
            error?: components["schemas"]["X402Reason"];
            /** @description The same for people. */
            errorMessage?: string;
            /** @description Of version 2, for the client: `remit` (`paymentId`, `asset`, `settledAt`), `bazaar`. */
            extensions?: Record<string, unknown>;
        };
        /** @description The results. */
        Submission: {
            /** @description The chain. */
            networkId: string;
            /** @description The hash of the transaction. */
            txHash: components["schemas"]["TransactionHash"];
            /**
             * @description `not_found` may be mined later: request it again then.
             * @enum {string}
             */
            status: "not_found" | "reverted" | "mined";
            /** @description The number of its block; null while there is none. */
            blockNumber: number | null;
            /** @description What it brought to the deposit address. */
            transfers: components["schemas"]["FoundTransfer"][];
            /** @description What was looked at, once it is mined. */
            looked?: string;
            /** @description False where a part could not be read: request it again. */
            complete?: boolean;
        };
        SubmissionAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["Submission"];
        };
        /**
         * @description The request was carried out.
         * @constant
         */
        Success: true;
        /** @description What this facilitator can do. */
        Supported: {
            /** @description Each chain as both versions of the protocol name it. */
            kinds: components["schemas"]["SupportedKind"][];
            /** @description Extensions of version 2. */
            extensions: string[];
            /** @description Who sends the transactions, by kind of chain. */
            signers: {
                /** @description The addresses that send payments on EVM chains. */
                "eip155:*": components["schemas"]["Address"][];
            };
        };
        /** @description One way to pay. */
        SupportedKind: {
            /** @description The version of the protocol. */
            x402Version: number;
            /** @description The scheme. */
            scheme: string;
            /** @description CAIP-2 in version 2, a name in version 1. */
            network: string;
            /** @description Of `upto`: whom the payer names. */
            extra: {
                /** @description The hub. */
                facilitatorAddress: components["schemas"]["Address"];
            };
        };
        /** @description A test of a webhook endpoint was requested. */
        TestEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "test";
            data?: components["schemas"]["TestEventData"];
        };
        /** @description Nothing but what every event has. */
        TestEventData: {
            /**
             * Format: uuid
             * @description An identifier of this test.
             */
            id: string;
            /**
             * Format: uuid
             * @description The merchant who owns the endpoint.
             */
            merchantId: string;
            /**
             * @description Where it happened.
             * @enum {string}
             */
            environment: "sandbox" | "live";
            /** @description It grows with each event of the same object. */
            version: number;
            /** @description True in requested test events. */
            test: boolean;
        };
        /**
         * Format: date-time
         * @description ISO 8601, in UTC.
         */
        Time: string;
        /** @description A token in which invoices can be paid. */
        Token: {
            /** @description The ticker. */
            symbol: string;
            /** @description The readable name. */
            name: string;
            /** @description How many decimals an amount may have. */
            decimals: number;
            /** @description Where the token is. */
            chains: components["schemas"]["TokenOnChain"][];
        };
        /** @description A token to pay with. */
        TokenChoice: {
            /** @description Its ticker. */
            tokenSymbol: string;
            /** @description Its name. */
            tokenName: string;
            /** @description What is to be paid of it; null until it is converted. */
            amount: components["schemas"]["Amount"] | null;
            /** @description Where it is taken. */
            networks: components["schemas"]["NetworkChoice"][];
        };
        /** @description The token on one chain. */
        TokenOnChain: {
            /** @description The chain. */
            networkId: string;
            /** @description The token's contract. */
            address: components["schemas"]["Address"];
        };
        /** @description The underpayment tolerance: an amount, or basis points; at most 1 %. */
        Tolerance: number | string;
        TooManyEndpointsError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "too many endpoints";
            /** @constant */
            code?: "too_many_endpoints";
        };
        TooManyRequestsError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "too many requests";
            /** @constant */
            code?: "too_many_requests";
        };
        TooManyStreamsError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "too many streams";
            /** @constant */
            code?: "too_many_streams";
        };
        TooManyUnpaidError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "too many unpaid invoices";
            /** @constant */
            code?: "too_many_unpaid";
        };
        /**
         * Format: uuid
         * @description Names this request to support; also in the header X-Trace-Id.
         */
        TraceId: string;
        /** @description An on-chain payment. */
        Transaction: {
            /**
             * Format: uuid
             * @description Identifies the transaction.
             */
            id: string;
            /**
             * Format: uuid
             * @description The invoice that was paid.
             */
            invoiceId: string;
            /** @description The reference of that invoice. */
            invoiceRef: string;
            /**
             * Format: uuid
             * @description The merchant.
             */
            merchantId: string;
            /** @description The hash of the on-chain transaction. */
            txHash: components["schemas"]["TransactionHash"];
            /** @description The chain. */
            chain: string;
            /** @description The symbol of the token. */
            asset: string;
            /** @description The contract of the token. */
            tokenAddress: components["schemas"]["Address"];
            /** @description What was transferred. */
            amount: components["schemas"]["Amount"];
            /** @description This payment's share of the platform fee. */
            fee: components["schemas"]["Amount"];
            /** @description What is left for the merchant. */
            merchantAmount: components["schemas"]["Amount"];
            /**
             * @description How certain it is.
             * @enum {string}
             */
            status: "pending" | "confirmed" | "reverted";
            /**
             * @description `late_payment` was received after the expiry and is held until you accept it.
             * @enum {string}
             */
            type: "payment" | "late_payment";
            /** @description The number of its block. */
            blockNumber: number;
            /**
             * Format: date-time
             * @description When it was confirmed.
             */
            confirmedAt: string | null;
            /** @description When it was first seen. */
            createdAt: components["schemas"]["Time"];
            /** @description Which log of its block the transfer is. */
            logIndex: number;
            /** @description Who sent the tokens. */
            from: components["schemas"]["Address"];
            /** @description The refunded part. */
            refundedAmount: components["schemas"]["Amount"];
            /** @description The part of pending refunds. */
            refundingAmount: components["schemas"]["Amount"];
            /**
             * Format: date-time
             * @description When it was accepted although it was late.
             */
            acceptedAt: string | null;
        };
        /** @description Of an on-chain transaction. */
        TransactionHash: string;
        TransactionNotFoundError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "transaction not found";
            /** @constant */
            code?: "transaction_not_found";
        };
        TransactionNotLateError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "transaction not late";
            /** @constant */
            code?: "transaction_not_late";
        };
        TransactionRefundedError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "transaction refunded";
            /** @constant */
            code?: "transaction_refunded";
        };
        TransactionRevertedError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "transaction reverted";
            /** @constant */
            code?: "transaction_reverted";
        };
        TransferAlreadyRecordedError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "transfer already recorded";
            /** @constant */
            code?: "transfer_already_recorded";
        };
        TransferNotShownError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "transfer not shown";
            /** @constant */
            code?: "transfer_not_shown";
        };
        UnauthorizedError: components["schemas"]["AnyError"] & {
            /** @constant */
            error?: "unauthorized";
            /** @constant */
            code?: "unauthorized";
        };
        /** @description x402 payments that are not decided yet, on all chains. */
        UndecidedPayments: {
            /** @description How many there are. */
            pending: number;
            /** @description The age of the oldest, in seconds; null while there is none. */
            oldestPendingSeconds: number | null;
        };
        UnknownChainError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "unknown chain";
            /** @constant */
            code?: "unknown_chain";
        };
        /** @description The verdict. */
        VerifyResponse: {
            /** @description Whether the payment could be settled now. */
            isValid: boolean;
            /** @description The payer, in lower case. */
            payer?: string;
            invalidReason?: components["schemas"]["X402Reason"];
            /** @description The same for people. */
            invalidMessage?: string;
        };
        VoucherConflictError: components["schemas"]["ExplainedError"] & {
            /** @constant */
            error?: "voucher conflict";
            /** @constant */
            code?: "voucher_conflict";
        };
        /** @description Where a merchant hears of events. */
        WebhookEndpoint: {
            /**
             * Format: uuid
             * @description Identifies the endpoint.
             */
            id: string;
            /**
             * Format: uuid
             * @description The merchant who owns it.
             */
            merchantId: string;
            /** @description Where events are posted to: https, in the sandbox also http, on the public internet, without credentials and fragment. */
            url: string;
            /** @description A description, at most 1000 characters. */
            description: string;
            /** @description The types of events to be sent; null for every type. */
            eventTypes: components["schemas"]["EventType"][] | null;
            /** @description False while it is sent nothing. */
            active: boolean;
            /**
             * @description Why it is not active: switched off by the `merchant`, `gone` (it answered 410), or `failing` (nothing but failures for five days).
             * @enum {string|null}
             */
            disabledReason: "merchant" | "gone" | "failing" | null;
            /**
             * Format: date-time
             * @description Since when it is not active.
             */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description The first failure since the last success.
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description When the URL first answered with 2xx; until then it gets one webhook a minute.
             */
            provenAt: string | null;
            /**
             * Format: date-time
             * @description Until when the secret before this one signs as well.
             */
            previousSecretUntil: string | null;
            /** @description When it was created. */
            createdAt: components["schemas"]["Time"];
            /** @description When it was last changed. */
            updatedAt: components["schemas"]["Time"];
        };
        WebhookEndpointAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["WebhookEndpoint"];
        };
        /** @description The endpoint as it stood. */
        WebhookEndpointEventData: components["schemas"]["WebhookEndpoint"] & components["schemas"]["EventMarks"];
        /** @description The endpoint, with its new secret. */
        WebhookEndpointWithSecret: components["schemas"]["WebhookEndpoint"] & {
            /** @description The key of the signatures: its prefix and 32 bytes in base64. Shown this once. */
            secret: string;
        };
        WebhookEndpointWithSecretAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["WebhookEndpointWithSecret"];
        };
        /** @description The body of a webhook, by `type`. */
        WebhookEvent: components["schemas"]["InvoiceCreatedEvent"] | components["schemas"]["InvoicePaymentDetectedEvent"] | components["schemas"]["InvoicePaymentConfirmedEvent"] | components["schemas"]["InvoicePaymentRevertedEvent"] | components["schemas"]["InvoicePartiallyPaidEvent"] | components["schemas"]["InvoicePaidEvent"] | components["schemas"]["InvoiceOverpaidEvent"] | components["schemas"]["InvoiceLatePaymentEvent"] | components["schemas"]["InvoiceUnexpectedPaymentEvent"] | components["schemas"]["InvoiceVoidedEvent"] | components["schemas"]["InvoiceExpiredEvent"] | components["schemas"]["InvoiceCompletedEvent"] | components["schemas"]["SettlementRetryingEvent"] | components["schemas"]["SettlementFailedEvent"] | components["schemas"]["RefundCreatedEvent"] | components["schemas"]["RefundCompletedEvent"] | components["schemas"]["RefundFailedEvent"] | components["schemas"]["X402PaymentSettledEvent"] | components["schemas"]["X402PaymentFailedEvent"] | components["schemas"]["X402ChannelWithdrawingEvent"] | components["schemas"]["EndpointDisabledEvent"] | components["schemas"]["TestEvent"];
        /** @description The envelope of a list. */
        WholeListAnswer: {
            success: components["schemas"]["Success"];
            metadata: components["schemas"]["WholeListMetadata"];
        };
        /** @description About the list. */
        WholeListMetadata: {
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A payment channel. */
        X402Channel: {
            /**
             * Format: uuid
             * @description In events.
             */
            id: string;
            /**
             * Format: uuid
             * @description The merchant.
             */
            merchantId: string;
            /** @description Its hash. */
            channelId: string;
            /** @description Its chain (CAIP-2). */
            network: string;
            channelConfig: components["schemas"]["ChannelConfig"];
            /** @description What was deposited and has not gone back. */
            balance: components["schemas"]["Amount"];
            /** @description What was claimed of it. */
            claimed: components["schemas"]["Amount"];
            /** @description What is charged and not claimed. */
            unclaimed: components["schemas"]["Amount"];
            /** @description What the payer withdraws. */
            withdrawAmount: string | null;
            /**
             * Format: date-time
             * @description From when on.
             */
            withdrawAt: string | null;
            /** @description Who claims before that: `service` or `merchant`. */
            claimedBy: string;
            /** @description When it last changed on its chain. */
            changedAt: components["schemas"]["Time"];
            /** @description What a server keeps of a channel, in base units. */
            voucher: components["schemas"]["ChannelVoucher"] | null;
        };
        X402ChannelAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["X402Channel"];
        };
        /** @description The channel as it stood. */
        X402ChannelEventData: components["schemas"]["X402Channel"] & components["schemas"]["EventMarks"];
        /** @description A payer began to withdraw from a channel: claim what is `unclaimed` before `withdrawAt`. */
        X402ChannelWithdrawingEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "x402.channel.withdrawing";
            data?: components["schemas"]["X402ChannelEventData"];
        };
        /** @description Shown at /v1/x402/discovery: `mimeType`, `serviceName`, `tags`, `iconUrl`, and `info`, `schema`, `routeTemplate` of `bazaar`; 8,192 characters at most. */
        X402Discovery: {
            [key: string]: unknown;
        };
        /** @description A price for a URL. */
        X402Endpoint: {
            /**
             * Format: uuid
             * @description Identifies the endpoint.
             */
            id: string;
            /**
             * Format: uuid
             * @description The merchant who owns it.
             */
            merchantId: string;
            /** @description The URL of the protected route. */
            endpointUrl: string;
            /** @description What the payer gets. */
            description: string;
            /** @description The chain (CAIP-2). */
            network: string;
            /** @description The same chain by its networkId. */
            networkId: string;
            /** @description The symbol of the token. */
            asset: string;
            /** @description The token's contract. */
            assetAddress: components["schemas"]["Address"];
            /** @description The price in US dollars, at least two decimals; null for EURC. */
            amountUsd: string | null;
            /** @description The price in the token's smallest unit. */
            amount: string;
            /** @description The merchant's forwarder, the same on every chain. */
            payTo: components["schemas"]["Address"];
            /** @description False once it is deactivated: payments for it are refused. */
            active: boolean;
            /** @description True when no payments share a transaction. */
            ownTransaction: boolean;
            /** @description False when payers with code are refused: contract wallets and accounts that delegate. */
            acceptsWallets: boolean;
            /** @description True while anybody may find it. */
            discoverable: boolean;
            /** @description The checkout settings. */
            discovery: components["schemas"]["X402Discovery"] | null;
            /** @description When it was registered. */
            createdAt: components["schemas"]["Time"];
            /** @description When it was last changed. */
            updatedAt: components["schemas"]["Time"];
            /** @description For the 402 body of the route; null while it can not be paid. */
            payment_requirements: components["schemas"]["PaymentRequirements"] | null;
        };
        X402EndpointAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["X402Endpoint"];
        };
        /** @description The extension `bazaar`. */
        X402Extensions: {
            [key: string]: unknown;
        };
        /** @description A pay-per-request payment. */
        X402Payment: {
            /** @description Null until it is mined. */
            transaction: components["schemas"]["TransactionHash"] | null;
            /** @description The chain (CAIP-2). */
            network: string;
            /** @description The address that pays, in lower case. */
            payer: string;
            /** @description What is paid, with at least two decimals. */
            amount: components["schemas"]["Amount"];
            /** @description The token's contract. */
            asset: components["schemas"]["Address"];
            /** @description Who is paid: the forwarder, or your own address. */
            payTo: components["schemas"]["Address"];
            /**
             * Format: uuid
             * @description The endpoint that is paid for; null when none was named.
             */
            endpointId: string | null;
            /** @description Why it failed; null unless it did. */
            error: components["schemas"]["X402Reason"] | null;
            /**
             * Format: date-time
             * @description When it was carried out.
             */
            settledAt: string | null;
            /**
             * Format: uuid
             * @description Identifies the payment.
             */
            id: string;
            /**
             * Format: uuid
             * @description The merchant.
             */
            merchantId: string;
            /**
             * @description What became of it.
             * @enum {string}
             */
            status: "pending" | "settled" | "failed";
            /** @description The same chain by its networkId. */
            networkId: string;
            /** @description The symbol of the token. */
            tokenSymbol: string;
            /** @description `exact` or `upto`. */
            scheme: string;
            /** @description What a payer by Permit2 allows; null for EIP-3009. */
            permitted: string | null;
            /** @description The nonce of the signed authorization. */
            nonce: string;
            /** @description Which log of its block the transfer is; null until it is mined. */
            logIndex: number | null;
            /** @description The number of its block; null until it is mined. */
            blockNumber: number | null;
            /**
             * Format: uuid
             * @description The payout of the forwarder that it was part of.
             */
            distributionId: string | null;
            /** @description Its share of that payout's fee; null before that. */
            fee: string | null;
            /** @description Paid to an own address. */
            direct: boolean;
            /** @description What you owe for it, if direct. */
            feeOwed: components["schemas"]["Amount"];
            /** @description What was left for the merchant; null before that. */
            merchantAmount: string | null;
            /** @description The refunded part. */
            refundedAmount: components["schemas"]["Amount"];
            /** @description The part of pending refunds. */
            refundingAmount: components["schemas"]["Amount"];
            /** @description The authorization is valid after this Unix time. */
            validAfter: string;
            /** @description The authorization is valid before this Unix time. */
            validBefore: string;
            /** @description When it was claimed. */
            createdAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description When its transaction had the chain's confirmations.
             */
            confirmedAt: string | null;
        };
        X402PaymentAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["X402Payment"];
        };
        /** @description The payment as it stood. */
        X402PaymentEventData: components["schemas"]["X402Payment"] & components["schemas"]["EventMarks"];
        /** @description A pay-per-request payment was reverted, or its authorization expired. */
        X402PaymentFailedEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "x402.payment.failed";
            data?: components["schemas"]["X402PaymentEventData"];
        };
        /** @description A pay-per-request payment has the chain's confirmations. */
        X402PaymentSettledEvent: components["schemas"]["AnyEvent"] & {
            /** @constant */
            type?: "x402.payment.settled";
            data?: components["schemas"]["X402PaymentEventData"];
        };
        /** @description The status of a payment. */
        X402PaymentStatus: {
            /** @description The requested nonce. */
            nonce: string;
            /**
             * @description `not_found` comes with the nonce alone.
             * @enum {string}
             */
            status: "not_found" | "pending" | "settled" | "failed";
            /**
             * Format: uuid
             * @description Identifies the payment.
             */
            paymentId?: string;
            /** @description Null until it is mined. */
            transaction?: components["schemas"]["TransactionHash"] | null;
            /** @description The chain (CAIP-2). */
            network?: string;
            /** @description The address that pays, in lower case. */
            payer?: string;
            /** @description What is paid, with at least two decimals. */
            amount?: components["schemas"]["Amount"];
            /** @description The token's contract. */
            asset?: components["schemas"]["Address"];
            /** @description Who is paid: the forwarder, or your own address. */
            payTo?: components["schemas"]["Address"];
            /**
             * Format: uuid
             * @description The endpoint that is paid for; null when none was named.
             */
            endpointId?: string | null;
            /** @description Why it failed; null unless it did. */
            error?: components["schemas"]["X402Reason"] | null;
            /**
             * Format: date-time
             * @description When it was carried out.
             */
            settledAt?: string | null;
        };
        X402PaymentStatusAnswer: {
            success: components["schemas"]["Success"];
            data: components["schemas"]["X402PaymentStatus"];
        };
        /**
         * @description Why not; only when isValid is false.
         * @enum {string}
         */
        X402Reason: "insufficient_funds" | "invalid_exact_evm_payload_authorization_valid_after" | "invalid_exact_evm_payload_authorization_valid_before" | "invalid_exact_evm_payload_authorization_value_mismatch" | "invalid_exact_evm_payload_signature" | "invalid_exact_evm_payload_recipient_mismatch" | "invalid_network" | "invalid_payload" | "invalid_payment_requirements" | "pay_to_not_registered" | "invalid_scheme" | "unsupported_scheme" | "invalid_x402_version" | "invalid_transaction_state" | "unexpected_verify_error" | "unexpected_settle_error" | "payment_expired" | "duplicate_settlement" | "settlement_pending" | "authorization_used" | "authorization_cancelled" | "payer_blacklisted" | "payer_on_hold" | "payee_blacklisted" | "token_paused" | "asset_not_deployed" | "invalid_exact_evm_payload_undeployed_smart_wallet" | "invalid_batch_settlement_evm_payload_type" | "invalid_batch_settlement_evm_channel_id_mismatch" | "invalid_batch_settlement_evm_receiver_mismatch" | "invalid_batch_settlement_evm_receiver_authorizer_mismatch" | "invalid_batch_settlement_evm_token_mismatch" | "invalid_batch_settlement_evm_withdraw_delay_out_of_range" | "invalid_batch_settlement_evm_erc3009_authorization_required" | "invalid_batch_settlement_evm_payload_authorization_valid_after" | "invalid_batch_settlement_evm_payload_authorization_valid_before" | "invalid_batch_settlement_evm_authorizer_not_configured" | "invalid_batch_settlement_evm_voucher_signature" | "invalid_batch_settlement_evm_channel_not_found" | "invalid_batch_settlement_evm_cumulative_exceeds_balance" | "invalid_batch_settlement_evm_cumulative_below_claimed" | "invalid_batch_settlement_evm_insufficient_balance" | "invalid_batch_settlement_evm_deposit_simulation_failed" | "invalid_batch_settlement_evm_claim_simulation_failed" | "invalid_batch_settlement_evm_refund_simulation_failed" | "invalid_batch_settlement_evm_refund_no_balance" | "invalid_batch_settlement_evm_nothing_to_settle" | "invalid_batch_settlement_evm_deposit_transaction_failed" | "invalid_batch_settlement_evm_claim_transaction_failed" | "invalid_batch_settlement_evm_settle_transaction_failed" | "invalid_batch_settlement_evm_refund_transaction_failed" | "invalid_permit2_spender" | "invalid_permit2_signature" | "invalid_permit2_recipient_mismatch" | "permit2_token_mismatch" | "permit2_amount_mismatch" | "permit2_not_yet_valid" | "permit2_deadline_expired" | "permit2_insufficient_balance" | "permit2_allowance_required" | "permit2_proxy_not_deployed" | "upto_facilitator_mismatch" | "invalid_upto_evm_payload_settlement_exceeds_amount" | "upto_key_required";
        /** @description A resource that can be paid for. */
        X402Resource: {
            /** @description The URL, or the pattern of its path. */
            resource: string;
            /** @description Its kind: http, mcp or a2a. */
            type: string;
            /** @description The version of the protocol. */
            x402Version: number;
            /** @description All prices that can be paid, the newest first. */
            accepts: components["schemas"]["PaymentRequirements"][];
            /** @description When it was last changed. */
            lastUpdated: components["schemas"]["Time"];
            /** @description What the payer gets. */
            description: string;
            /** @description What it answers. */
            mimeType?: string;
            /** @description Who offers it. */
            serviceName?: string;
            /** @description What it is about. */
            tags?: string[];
            /** @description A picture of the service. */
            iconUrl?: string;
            extensions?: components["schemas"]["X402Extensions"];
        };
    };
    responses: {
        /** @description approval required */
        ApprovalRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApprovalRequiredError"];
            };
        };
        /** @description invalid request body */
        BadBody: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidRequestBodyError"];
            };
        };
        /** @description invalid request body · unknown chain · no supported chains for token */
        BadChain: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["UnknownChainError"] | components["schemas"]["NoSupportedChainsError"];
            };
        };
        /** @description invalid endpoint id · invalid request body */
        BadEndpoint: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidEndpointIdError"] | components["schemas"]["InvalidRequestBodyError"];
            };
        };
        /** @description invalid request body · unknown chain · no supported chains for token · invalid recipient address */
        BadInvoice: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["UnknownChainError"] | components["schemas"]["NoSupportedChainsError"] | components["schemas"]["InvalidRecipientError"];
            };
        };
        /** @description invalid query parameters */
        BadQuery: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidQueryParametersError"];
            };
        };
        /** @description invalid invoice id · invalid request body · unknown chain */
        BadTransfer: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInvoiceIdError"] | components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["UnknownChainError"];
            };
        };
        /** @description request budget exceeded · too many requests */
        BudgetExceededOrTooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BudgetExceededError"] | components["schemas"]["TooManyRequestsError"];
            };
        };
        /** @description channel not found */
        ChannelNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChannelNotFoundError"];
            };
        };
        /** @description delivery not found */
        DeliveryNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DeliveryNotFoundError"];
            };
        };
        /** @description endpoint conflict */
        EndpointConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EndpointConflictError"];
            };
        };
        /** @description endpoint disabled */
        EndpointDisabled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EndpointDisabledError"];
            };
        };
        /** @description endpoint not found */
        EndpointNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["EndpointNotFoundError"];
            };
        };
        /** @description service unavailable · internal error */
        Fault: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ServiceUnavailableError"] | components["schemas"]["InternalError"];
            };
        };
        /** @description idempotency key conflict · idempotency key in flight */
        IdempotencyKeyReusedOrIdempotencyKeyInFlight: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdempotencyKeyReusedError"] | components["schemas"]["IdempotencyKeyInFlightError"];
            };
        };
        /** @description internal error */
        Internal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"];
            };
        };
        /** @description invalid endpoint id */
        InvalidEndpointId: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidEndpointIdError"];
            };
        };
        /** @description invalid invoice id */
        InvalidInvoiceId: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInvoiceIdError"];
            };
        };
        /** @description invalid invoice id · invalid request body */
        InvalidInvoiceIdOrInvalidRequestBody: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInvoiceIdError"] | components["schemas"]["InvalidRequestBodyError"];
            };
        };
        /** @description invalid payment id */
        InvalidPaymentId: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidPaymentIdError"];
            };
        };
        /** @description invalid price id */
        InvalidPriceId: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidPriceIdError"];
            };
        };
        /** @description invoice not found */
        InvoiceNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvoiceNotFoundError"];
            };
        };
        /** @description invoice not found · transaction not found */
        InvoiceNotFoundOrTransactionNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvoiceNotFoundError"] | components["schemas"]["TransactionNotFoundError"];
            };
        };
        /** @description too many requests */
        Limit: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TooManyRequestsError"];
            };
        };
        /** @description unauthorized */
        NoKey: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"];
            };
        };
        /** @description refund from your treasury · refund not possible · idempotencyKey conflict · idempotency key conflict · idempotency key in flight */
        NoRefund: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RefundSettledError"] | components["schemas"]["RefundNotPossibleError"] | components["schemas"]["IdempotencyKeyConflictError"] | components["schemas"]["IdempotencyKeyReusedError"] | components["schemas"]["IdempotencyKeyInFlightError"];
            };
        };
        /** @description origin not allowed */
        OriginNotAllowed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OriginNotAllowedError"];
            };
        };
        /** @description payment not found */
        PaymentNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PaymentNotFoundError"];
            };
        };
        /** @description price not found */
        PriceNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PriceNotFoundError"];
            };
        };
        /** @description exchange rate unavailable · service unavailable */
        RateUnavailableOrServiceUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateUnavailableError"] | components["schemas"]["ServiceUnavailableError"];
            };
        };
        /** @description another report is being read · too many requests */
        ReportInProgressOrTooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReportInProgressError"] | components["schemas"]["TooManyRequestsError"];
            };
        };
        /** @description session not found */
        SessionNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SessionNotFoundError"];
            };
        };
        /** @description request body too large */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BodyTooLargeError"];
            };
        };
        /** @description Received. A 410 disables the endpoint; anything else is retried. */
        Taken: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        address: string;
        /** @description The `next` of a page, to continue after it; empty, to begin. */
        after: string;
        /** @description The `previous` of a page, to go back; empty, to begin at the end. */
        before: string;
        deliveryId: string;
        /** @description Only payments for this endpoint. */
        endpointId: string;
        /** @description Only those with this extension. */
        extensions: string;
        /** @description Only what is at or after this moment, with a time zone. */
        from: string;
        id: string;
        /** @description For 24 hours, the same JSON with this gets the same answer. An externalRef goes before it. */
        "Idempotency-Key": string;
        invoiceId: string;
        /** @description The most elements on a page. */
        limit: number;
        /** @description Only those paid on this chain. */
        network: string;
        /** @description How many elements to skip. Excludes `page`. */
        offset: number;
        /** @description The page, counted from 1, the first without it. Excludes `offset`. */
        page: number;
        /** @description Only payments by this address. */
        payer: string;
        paymentId: string;
        paymentLinkId: string;
        /** @description Only those that pay this address. */
        payTo: string;
        priceId: string;
        /** @description Only those paid by this scheme. */
        scheme: string;
        sessionId: string;
        /** @description Only what is before this moment, with a time zone. */
        to: string;
        /** @description Only these: http, mcp or a2a. */
        type: string;
        webhookEndpointId: string;
        x402EndpointId: string;
        /** @description The event, the same at every attempt. */
        EventId: string;
        /** @description When this attempt was sent, in Unix seconds. */
        Sent: string;
        /** @description HMAC-SHA256 over `id.timestamp.body` in base64 after `v1,`; two, with a space between, while a secret is being rotated. */
        Signed: string;
    };
    requestBodies: never;
    headers: {
        /** @description Seconds to wait. */
        "Retry-After": number;
        /** @description The most requests per minute. */
        "X-RateLimit-Limit": number;
        /** @description Requests that are left in the window. */
        "X-RateLimit-Remaining": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listInvoices: {
        parameters: {
            query?: {
                /** @description The most elements on a page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1, the first without it. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description How many elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty, to begin. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty, to begin at the end. */
                before?: components["parameters"]["before"];
                /** @description Only invoices with this status. */
                status?: "pending" | "partial" | "paid" | "completed";
                /** @description Only the invoice with this externalRef. */
                externalRef?: string;
                /** @description Only the invoice with this reference. */
                reference?: string;
                /** @description Only invoices created at this time or later. */
                createdFrom?: string;
                /** @description Only invoices created at this time or earlier. */
                createdTo?: string;
                /** @description Only invoices paid at this time or later. */
                paidFrom?: string;
                /** @description Only invoices paid at this time or earlier. */
                paidTo?: string;
                /** @description Only invoices that ask for this much or more. In the token's major unit. */
                amountFrom?: string;
                /** @description Only invoices that ask for this much or less. In the token's major unit. */
                amountTo?: string;
                /** @description Only invoices in this token. */
                tokenSymbol?: "USDC" | "USDT" | "EURC";
                /** @description Only invoices with this value under this key: `metadata.cart=c-77` or `metadata[cart]=c-77`. */
                metadata?: {
                    /** @description The value as text. */
                    cart?: string;
                } & {
                    [key: string]: string;
                };
                /** @description Only invoices to which this address sent a payment. */
                payer?: string;
                /** @description Only invoices that this transaction paid. */
                txHash?: string;
                /** @description Only invoices that are past their time and not paid, or only others. */
                expired?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["Invoice"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    createInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same JSON with this gets the same answer. An externalRef goes before it. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The ticker of the token. */
                    tokenSymbol: string;
                    /** @description The amount due, in the token's major unit: more than 0. In live, chains for which it is too little are not offered. */
                    amountExpected: number | string;
                    /** @description What the amount is in (ISO 4217): converted into the token, and rounded up, when the invoice is made. Omitted, the amount is in the token. */
                    currency?: string | null;
                    /** @description The chains to offer; omitted or empty, all that have the token. Those without it, or that ask for more, are left out. */
                    chains?: string[] | null;
                    /** @description Idempotency key of 1 to 255 characters. */
                    externalRef?: string | null;
                    /** @description EVM address that receives the settled funds, in lower case or with its EIP-55 checksum. Omitted, the merchant's own at settlement. */
                    recipient?: string | null;
                    /**
                     * Format: date-time
                     * @description When the invoice expires, at most 366 days ahead, with a time zone. Payments in later blocks are late.
                     */
                    expiresAt?: string | null;
                    /** @description The underpayment tolerance: an amount, or basis points; at most 1 %. */
                    underpaymentTolerance?: components["schemas"]["Tolerance"] | null;
                    /** @description Any key-value pairs, at most 50 keys and 8192 bytes as JSON. */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The existing invoice of this externalRef. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceAnswer"];
                };
            };
            /** @description The new invoice. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceAnswer"];
                };
            };
            400: components["responses"]["BadInvoice"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["ApprovalRequired"];
            /** @description externalRef conflict · idempotency key conflict · idempotency key in flight */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExternalRefConflictError"] | components["schemas"]["IdempotencyKeyReusedError"] | components["schemas"]["IdempotencyKeyInFlightError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            503: components["responses"]["RateUnavailableOrServiceUnavailable"];
            "5XX": components["responses"]["Internal"];
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["invoiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceAnswer"];
                };
            };
            400: components["responses"]["InvalidInvoiceId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listInvoiceTransactions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["invoiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transactions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeListAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["Transaction"][];
                    };
                };
            };
            400: components["responses"]["InvalidInvoiceId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    submitTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["invoiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The chain, which may be one that the invoice does not list, by networkId or CAIP-2 identifier. */
                    networkId: string;
                    /** @description The hash of the transaction. */
                    txHash: string;
                };
            };
        };
        responses: {
            /** @description The results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmissionAnswer"];
                };
            };
            400: components["responses"]["BadTransfer"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    expireInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["invoiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The expired invoice. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceAnswer"];
                };
            };
            400: components["responses"]["InvalidInvoiceIdOrInvalidRequestBody"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFound"];
            /** @description invoice already paid */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceAlreadyPaidError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    acceptLatePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["invoiceId"];
                transactionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice with it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceAnswer"];
                };
            };
            /** @description invalid invoice id · invalid transaction id · invalid request body */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidInvoiceIdError"] | components["schemas"]["InvalidTransactionIdError"] | components["schemas"]["InvalidRequestBodyError"];
                };
            };
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFoundOrTransactionNotFound"];
            /** @description transaction not late · transaction reverted · transaction refunded */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionNotLateError"] | components["schemas"]["TransactionRevertedError"] | components["schemas"]["TransactionRefundedError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    acceptPartialPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["invoiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice, paid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoiceAnswer"];
                };
            };
            400: components["responses"]["InvalidInvoiceIdOrInvalidRequestBody"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFound"];
            /** @description nothing received · invoice already paid */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NothingReceivedError"] | components["schemas"]["InvoiceAlreadyPaidError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listInvoiceRefunds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["invoiceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refunds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeListAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["Refund"][];
                    };
                };
            };
            400: components["responses"]["InvalidInvoiceId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same JSON with this gets the same answer. An externalRef goes before it. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: components["parameters"]["invoiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The amount to refund, in the token's major unit: in live at least its chain's minimum. */
                    amount: number | string;
                    /** @description Who receives it: the sender of the payment. Others only where the operator allows it. */
                    address: string;
                    /**
                     * Format: uuid
                     * @description The payment to give back: a late one, another token, or a part of the on-time money. Omitted, the on-time money as a whole.
                     */
                    transactionId?: string | null;
                    /** @description 1 to 255 characters, once per invoice. */
                    idempotencyKey: string;
                };
            };
        };
        responses: {
            /** @description The existing refund of this idempotencyKey. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAnswer"];
                };
            };
            /** @description The new refund. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAnswer"];
                };
            };
            /** @description invalid invoice id · invalid request body · invalid recipient address · refund of too many payments */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidInvoiceIdError"] | components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["InvalidRecipientError"] | components["schemas"]["RefundOfTooManyPaymentsError"];
                };
            };
            401: components["responses"]["NoKey"];
            /** @description refund address not allowed · refund by a person only */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAddressNotAllowedError"] | components["schemas"]["RefundByPersonOnlyError"];
                };
            };
            404: components["responses"]["InvoiceNotFoundOrTransactionNotFound"];
            409: components["responses"]["NoRefund"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    recordExternalRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["invoiceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A chain of the invoice, by networkId or CAIP-2 identifier. */
                    networkId: string;
                    /** @description The hash of the transaction. */
                    txHash: string;
                    /** @description How much it transfers, in the token's major unit. */
                    amount: number | string;
                    /** @description Which log of its block, where several are alike. */
                    logIndex?: number | null;
                };
            };
        };
        responses: {
            /** @description It is recorded already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAnswer"];
                };
            };
            /** @description The refund. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAnswer"];
                };
            };
            400: components["responses"]["BadTransfer"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFound"];
            /** @description refund not possible · transfer not shown · transfer already recorded */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundNotPossibleError"] | components["schemas"]["TransferNotShownError"] | components["schemas"]["TransferAlreadyRecordedError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listRecoveries: {
        parameters: {
            query?: {
                /** @description The most elements on a page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1, the first without it. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description How many elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty, to begin. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty, to begin at the end. */
                before?: components["parameters"]["before"];
                /** @description Only what is held of this invoice. */
                invoiceId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["Recovery"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["ReportInProgressOrTooManyRequests"];
            "5XX": components["responses"]["Fault"];
        };
    };
    search: {
        parameters: {
            query: {
                /** @description The search text. */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description Invoices. */
                        data: components["schemas"]["Found"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listBalances: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balances. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description By chain. */
                        data: components["schemas"]["Balance"][];
                    };
                };
            };
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listPrices: {
        parameters: {
            query?: {
                /** @description The most elements on a page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1, the first without it. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description How many elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty, to begin. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty, to begin at the end. */
                before?: components["parameters"]["before"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["Price"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    createPrice: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same JSON with this gets the same answer. An externalRef goes before it. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": "12.5",
                 *       "tokens": [
                 *         "USDC"
                 *       ],
                 *       "description": "Three months of tea",
                 *       "expiresAfter": 3600,
                 *       "metadata": {
                 *         "plan": "tea-3"
                 *       },
                 *       "reusable": true
                 *     }
                 */
                "application/json": {
                    /** @description The amount due, in the tokens' major unit. */
                    amount: number | string;
                    /** @description What the amount is in (ISO 4217): converted into the token, and rounded up, when the invoice is made. Omitted, the amount is in the token. */
                    currency?: string | null;
                    /** @description The tokens that the payer may choose from, all worth the same. */
                    tokens: string[];
                    /** @description The chains to offer; omitted or empty, all that have the token and take so little. */
                    chains?: string[] | null;
                    /** @description What is bought, as the payer reads it: 1 to 500 characters. */
                    description?: string | null;
                    /** @description For how many seconds each session can be paid; omitted, the merchant's usual time. */
                    expiresAfter?: number | null;
                    /** @description The metadata of each invoice, with `checkout` added: session, price and clientReference. */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description False for a price that can be paid once, e.g. one order. True by default. */
                    reusable?: boolean | null;
                    /** @description The underpayment tolerance: an amount, or basis points; at most 1 %. */
                    underpaymentTolerance?: components["schemas"]["Tolerance"] | null;
                };
            };
        };
        responses: {
            /** @description The new price. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceAnswer"];
                };
            };
            400: components["responses"]["BadChain"];
            401: components["responses"]["NoKey"];
            409: components["responses"]["IdempotencyKeyReusedOrIdempotencyKeyInFlight"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getPrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["priceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The price. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceAnswer"];
                };
            };
            400: components["responses"]["InvalidPriceId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["PriceNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    deletePrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["priceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description What was deleted. */
                        data: {
                            /**
                             * Format: uuid
                             * @description The price that was.
                             */
                            id: string;
                            /** @description True: it is gone. */
                            deleted: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["InvalidPriceId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["PriceNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    changePrice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["priceId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Three months of tea",
                 *       "expiresAfter": 3600,
                 *       "metadata": {
                 *         "plan": "tea-3"
                 *       },
                 *       "active": true
                 *     }
                 */
                "application/json": {
                    /** @description What is bought, as the payer reads it: 1 to 500 characters. */
                    description?: string | null;
                    /** @description For how many seconds each session can be paid; omitted, the merchant's usual time. */
                    expiresAfter?: number | null;
                    /** @description The metadata of each invoice, with `checkout` added: session, price and clientReference. */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description False: it creates no new invoices. True: it does again. */
                    active?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The price, changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceAnswer"];
                };
            };
            /** @description invalid price id · invalid request body */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidPriceIdError"] | components["schemas"]["InvalidRequestBodyError"];
                };
            };
            401: components["responses"]["NoKey"];
            404: components["responses"]["PriceNotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                /** @description The most elements on a page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1, the first without it. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description How many elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty, to begin. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty, to begin at the end. */
                before?: components["parameters"]["before"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["PaymentLink"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same JSON with this gets the same answer. An externalRef goes before it. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The price to pay.
                     */
                    price: string;
                    /** @description How many payments it takes; omitted, any number. */
                    usesLimit?: number | null;
                    /**
                     * Format: date-time
                     * @description Until when it takes payers, with a time zone.
                     */
                    endsAt?: string | null;
                };
            };
        };
        responses: {
            /** @description The new link. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkAnswer"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["PriceNotFound"];
            409: components["responses"]["IdempotencyKeyReusedOrIdempotencyKeyInFlight"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["paymentLinkId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkAnswer"];
                };
            };
            /** @description invalid payment link id */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidPaymentLinkIdError"];
                };
            };
            401: components["responses"]["NoKey"];
            /** @description payment link not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkNotFoundError"];
                };
            };
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    changePaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["paymentLinkId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The price to pay.
                     */
                    price?: string | null;
                    /** @description How many payments it takes; omitted, any number. */
                    usesLimit?: number | null;
                    /**
                     * Format: date-time
                     * @description Until when it takes payers, with a time zone.
                     */
                    endsAt?: string | null;
                    /** @description False switches the link off, true on again. */
                    active?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The link, changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkAnswer"];
                };
            };
            /** @description invalid payment link id · invalid request body */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidPaymentLinkIdError"] | components["schemas"]["InvalidRequestBodyError"];
                };
            };
            401: components["responses"]["NoKey"];
            /** @description payment link not found · price not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkNotFoundError"] | components["schemas"]["PriceNotFoundError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    createCheckoutSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The price to pay.
                     */
                    price?: string | null;
                    /**
                     * Format: uuid
                     * @description The invoice to pay; with the secret key only.
                     */
                    invoice?: string | null;
                    /** @description Idempotency key of 1 to 255 characters: the same price and reference get the same session, until it ends without any money. With the publishable key at least 16 characters, hard to guess: it gives access to the session. */
                    clientReference?: string | null;
                    /**
                     * Format: uri
                     * @description Where the payer continues, on one of the allowed origins.
                     */
                    returnUrl?: string | null;
                };
            };
        };
        responses: {
            /** @description The session that was there already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSessionAnswer"];
                };
            };
            /** @description The new session. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSessionAnswer"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["NoKey"];
            403: components["responses"]["OriginNotAllowed"];
            /** @description price not found · invoice not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceNotFoundError"] | components["schemas"]["InvoiceNotFoundError"];
                };
            };
            /** @description price not active · clientReference conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceNotActiveError"] | components["schemas"]["ClientReferenceConflictError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getCheckoutSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["sessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The view. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutViewAnswer"];
                };
            };
            /** @description Nothing has changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["SessionNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    followCheckoutSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["sessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["SessionNotFound"];
            /** @description too many streams · too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyStreamsError"] | components["schemas"]["TooManyRequestsError"];
                };
            };
            "5XX": components["responses"]["Fault"];
        };
    };
    chooseToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["sessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The ticker of a token that the session offers. */
                    tokenSymbol: string;
                    /** @description The network that the payer means to use; payments on the others that are offered count as well. */
                    networkId?: string | null;
                };
            };
        };
        responses: {
            /** @description The view, with what is to be paid where. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutViewAnswer"];
                };
            };
            /** @description invalid request body · unknown chain */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["UnknownChainError"];
                };
            };
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["SessionNotFound"];
            /** @description choice not possible */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChoiceNotPossibleError"];
                };
            };
            413: components["responses"]["TooLarge"];
            /** @description too many unpaid invoices · too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyUnpaidError"] | components["schemas"]["TooManyRequestsError"];
                };
            };
            503: components["responses"]["RateUnavailableOrServiceUnavailable"];
            "5XX": components["responses"]["Internal"];
        };
    };
    lookUpTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["sessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The transaction's hash, or a link of an explorer with it. */
                    hash: string;
                };
            };
        };
        responses: {
            /** @description The results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HashLookupAnswer"];
                };
            };
            400: components["responses"]["BadBody"];
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["SessionNotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["BudgetExceededOrTooManyRequests"];
            "5XX": components["responses"]["Fault"];
        };
    };
    leaveRefundAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["sessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An address of the payer, all lower case or with its EIP-55 checksum. */
                    address: string;
                };
            };
        };
        responses: {
            /** @description The view with it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutViewAnswer"];
                };
            };
            /** @description invalid request body · invalid refund address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["InvalidRefundAddressError"];
                };
            };
            403: components["responses"]["OriginNotAllowed"];
            404: components["responses"]["SessionNotFound"];
            /** @description refund address kept */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAddressKeptError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getCheckoutSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSettingsAnswer"];
                };
            };
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    changeCheckoutSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description At most 80 characters. An empty text takes it away. */
                    name?: string | null;
                    /** @description A colour that can be seen on white: 3 to 1. An empty text takes it away. */
                    accent?: string | null;
                    /** @description Where payers find help. An empty text takes it away. */
                    supportEmail?: string | null;
                    /** @description Where payers find help. An empty text takes it away. */
                    supportUrl?: string | null;
                    /** @description The URL that payers return to, on one of the allowed origins. An empty text takes it away. */
                    returnUrl?: string | null;
                    /** @description All pages that may begin sessions and frame them, each as scheme, host and port. */
                    allowedOrigins?: string[] | null;
                    /** @description The payment window of prices that have none of their own. */
                    defaultExpiry?: number | null;
                    /** @description The languages of the pages; empty for all. */
                    languages?: ("en" | "de" | "es" | "fr" | "pt" | "it" | "nl" | "pl" | "tr" | "zh" | "ja" | "ar")[] | null;
                    /** @description The underpayment tolerance: an amount, or basis points; at most 1 %. */
                    underpaymentTolerance?: components["schemas"]["Tolerance"] | null;
                };
            };
        };
        responses: {
            /** @description The settings, changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSettingsAnswer"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["NoKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    replaceLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/png": string;
                "image/jpeg": string;
                "image/webp": string;
            };
        };
        responses: {
            /** @description The settings with it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSettingsAnswer"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["NoKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    removeLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings without it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSettingsAnswer"];
                };
            };
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    verifyPayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FacilitatorRequest"];
            };
        };
        responses: {
            /** @description The verdict. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifyResponse"];
                };
            };
            401: components["responses"]["NoKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["BudgetExceededOrTooManyRequests"];
            "5XX": components["responses"]["Fault"];
        };
    };
    settlePayment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FacilitatorRequest"];
            };
        };
        responses: {
            /** @description The result. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettleResponse"];
                };
            };
            401: components["responses"]["NoKey"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["BudgetExceededOrTooManyRequests"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listX402Supported: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Networks, extensions and signers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Supported"];
                };
            };
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listX402Resources: {
        parameters: {
            query?: {
                /** @description Only these: http, mcp or a2a. */
                type?: components["parameters"]["type"];
                /** @description Only those that pay this address. */
                payTo?: components["parameters"]["payTo"];
                /** @description Only those paid by this scheme. */
                scheme?: components["parameters"]["scheme"];
                /** @description Only those paid on this chain. */
                network?: components["parameters"]["network"];
                /** @description Only those with this extension. */
                extensions?: components["parameters"]["extensions"];
                /** @description How many at most. */
                limit?: number;
                /** @description How many to skip. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The version of the protocol. */
                        x402Version: number;
                        /** @description The newest first. */
                        items: components["schemas"]["X402Resource"][];
                        /** @description Where the page is. */
                        pagination: {
                            /** @description How many at most. */
                            limit: number;
                            /** @description How many were skipped. */
                            offset: number;
                            /** @description The number of results, at most 10,000. */
                            total: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Internal"];
        };
    };
    searchX402Resources: {
        parameters: {
            query: {
                /** @description Only these: http, mcp or a2a. */
                type?: components["parameters"]["type"];
                /** @description Only those that pay this address. */
                payTo?: components["parameters"]["payTo"];
                /** @description Only those paid by this scheme. */
                scheme?: components["parameters"]["scheme"];
                /** @description Only those paid on this chain. */
                network?: components["parameters"]["network"];
                /** @description Only those with this extension. */
                extensions?: components["parameters"]["extensions"];
                /** @description How many at most. */
                limit?: number;
                /** @description Words, or how they begin. */
                query: string;
                /** @description Where to continue, from the last answer. */
                cursor?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The results. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The version of the protocol. */
                        x402Version: number;
                        /** @description The newest first. */
                        resources: components["schemas"]["X402Resource"][];
                        /** @description More match than are looked through. */
                        partialResults: boolean;
                        /** @description How to continue. */
                        pagination: {
                            /** @description How many at most. */
                            limit: number;
                            /** @description For the next page; null on the last. */
                            cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Internal"];
        };
    };
    getX402PaymentStatus: {
        parameters: {
            query: {
                /** @description The nonce of the signed authorization, 32 bytes. */
                nonce: string;
                /** @description Only payments by this address. */
                payer?: components["parameters"]["payer"];
                /** @description Only payments on this chain, by CAIP-2 identifier or networkId. */
                network?: string;
                /** @description Only payments for this endpoint. */
                endpointId?: components["parameters"]["endpointId"];
                /** @description Only payments of this amount, in the token's major unit. */
                amount?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status, also of an unknown nonce. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["X402PaymentStatusAnswer"];
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listX402Payments: {
        parameters: {
            query?: {
                /** @description The most elements on a page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1, the first without it. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description How many elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty, to begin. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty, to begin at the end. */
                before?: components["parameters"]["before"];
                /** @description Only payments with this status. */
                status?: "pending" | "settled" | "failed";
                /** @description Only payments for this endpoint. */
                endpointId?: components["parameters"]["endpointId"];
                /** @description Only payments by this address. */
                payer?: components["parameters"]["payer"];
                /** @description The nonce of the signed authorization, 32 bytes. */
                nonce?: string;
                /** @description Only payments on this chain, by CAIP-2 identifier or networkId. */
                network?: string;
                /** @description Only payments claimed at this time or later. */
                createdFrom?: string;
                /** @description Only payments claimed at this time or earlier. */
                createdTo?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["X402Payment"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getX402Payment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["paymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["X402PaymentAnswer"];
                };
            };
            400: components["responses"]["InvalidPaymentId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["PaymentNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listX402Refunds: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["paymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refunds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeListAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["Refund"][];
                    };
                };
            };
            400: components["responses"]["InvalidPaymentId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["PaymentNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    createX402Refund: {
        parameters: {
            query?: never;
            header?: {
                /** @description For 24 hours, the same JSON with this gets the same answer. An externalRef goes before it. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path: {
                id: components["parameters"]["paymentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description How much goes back, in the token's major unit. */
                    amount: number | string;
                    /** @description Who receives it. Omitted, the payer. Others only where the operator allows it. */
                    address?: string | null;
                    /** @description 1 to 255 characters, once per payment: a repeated request makes no second refund. */
                    idempotencyKey: string;
                };
            };
        };
        responses: {
            /** @description The existing refund of this idempotencyKey. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAnswer"];
                };
            };
            /** @description The new refund. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAnswer"];
                };
            };
            /** @description invalid payment id · invalid request body · invalid recipient address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidPaymentIdError"] | components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["InvalidRecipientError"];
                };
            };
            401: components["responses"]["NoKey"];
            /** @description refund address not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundAddressNotAllowedError"];
                };
            };
            404: components["responses"]["PaymentNotFound"];
            409: components["responses"]["NoRefund"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listX402Channels: {
        parameters: {
            query?: {
                /** @description The most elements on a page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1, the first without it. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description How many elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty, to begin. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty, to begin at the end. */
                before?: components["parameters"]["before"];
                /** @description Only those that are paid on this chain. */
                network?: string;
                /** @description Only those that pay this address. */
                payTo?: components["parameters"]["payTo"];
                /** @description Whether its payer withdraws. */
                withdrawing?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["X402Channel"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getX402Channel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["X402ChannelAnswer"];
                };
            };
            401: components["responses"]["NoKey"];
            404: components["responses"]["ChannelNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getChannelVoucher: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelVoucherAnswer"];
                };
            };
            401: components["responses"]["NoKey"];
            404: components["responses"]["ChannelNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    storeChannelVoucher: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The chain (CAIP-2). */
                    network: string;
                    channelConfig: components["schemas"]["ChannelConfig"];
                    /** @description What the payer has signed, in base units. */
                    maxClaimableAmount?: string | null;
                    /** @description The payer's signature. */
                    signature?: string | null;
                    /** @description How much of it is charged. */
                    chargedCumulativeAmount?: string | null;
                    /** @description By `receiverAuthorizer`, for a claim of that alone: it is made when the payer withdraws. */
                    claimAuthorizerSignature?: string | null;
                    /** @description Your own text, at most 8192 bytes. */
                    record?: string | null;
                    /** @description The version that was read; 0 for none. */
                    version?: number | null;
                };
            };
        };
        responses: {
            /** @description What is stored now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelVoucherAnswer"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["ChannelNotFound"];
            /** @description voucher conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoucherConflictError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    registerOwnAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                address: components["parameters"]["address"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description EIP-712, `OwnAddress(address payTo,string merchantId)`; domain `name` "Remit", `version` "1". */
                    signature: string;
                    /** @description The chain of a contract wallet (ERC-1271); none for a key. */
                    network?: string | null;
                };
            };
        };
        responses: {
            /** @description It is registered. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAddressAnswer"];
                };
            };
            /** @description invalid recipient address · invalid request body · unknown chain */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidRecipientError"] | components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["UnknownChainError"];
                };
            };
            401: components["responses"]["NoKey"];
            403: components["responses"]["ApprovalRequired"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    removeOwnAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                address: components["parameters"]["address"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yours. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description The oldest first. */
                        data: components["schemas"]["OwnAddress"][];
                    };
                };
            };
            /** @description invalid recipient address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidRecipientError"];
                };
            };
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listOwnAddresses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yours. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description The oldest first. */
                        data: components["schemas"]["OwnAddress"][];
                    };
                };
            };
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listX402Endpoints: {
        parameters: {
            query?: {
                /** @description The most elements on a page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1, the first without it. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description How many elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty, to begin. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty, to begin at the end. */
                before?: components["parameters"]["before"];
                /** @description Only endpoints that are active, or only others. */
                active?: boolean;
                /** @description Only endpoints on this chain, by CAIP-2 identifier or networkId. */
                network?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["X402Endpoint"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    createX402Endpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "endpointUrl": "https://api.example.com/v1/report",
                 *       "description": "The daily report, one cent",
                 *       "asset": "USDC",
                 *       "network": "eip155:84532",
                 *       "amountUsd": "0.01",
                 *       "ownTransaction": false,
                 *       "acceptsWallets": true
                 *     }
                 */
                "application/json": {
                    /** @description The URL of the protected route (http, https, mcp, a2a). Capitals in scheme and host, the default port, a slash at the end, query and fragment make no difference; `:name`, `[name]` and `*` in its path match as in stock middleware. At most 2048 characters. */
                    endpointUrl: string;
                    /** @description What the payer gets, at most 1000 characters. */
                    description?: string | null;
                    /** @description The symbol of the token: `USDC` or `EURC`. */
                    asset: string;
                    /** @description The chain, as a CAIP-2 identifier or a networkId. */
                    network: string;
                    /** @description In US dollars: at most six decimals, and no less than is worth sending. */
                    amountUsd?: number | string | null;
                    /** @description In base units, instead of amountUsd. */
                    amount?: string | null;
                    /** @description True for a transaction of its own for each payment, which costs more gas. */
                    ownTransaction?: boolean | null;
                    /** @description False to refuse payers with code: contract wallets, and accounts that delegate. */
                    acceptsWallets?: boolean | null;
                    /** @description True to list it at /v1/x402/discovery. */
                    discoverable?: boolean | null;
                    /** @description Shown at /v1/x402/discovery: `mimeType`, `serviceName`, `tags`, `iconUrl`, and `info`, `schema`, `routeTemplate` of `bazaar`; 8,192 characters at most. */
                    discovery?: components["schemas"]["X402Discovery"] | null;
                };
            };
        };
        responses: {
            /** @description The endpoint that was there. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredX402Endpoint"];
                };
            };
            /** @description The new endpoint. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredX402Endpoint"];
                };
            };
            400: components["responses"]["BadChain"];
            401: components["responses"]["NoKey"];
            409: components["responses"]["EndpointConflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    findX402Requirements: {
        parameters: {
            query: {
                /** @description The full URL of the protected endpoint, URL-encoded. */
                url: string;
                /** @description The tool, where the URL is an MCP server with several. */
                toolName?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment requirements. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRequiredAnswer"];
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getX402Endpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["x402EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["X402EndpointAnswer"];
                };
            };
            400: components["responses"]["InvalidEndpointId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    deactivateX402Endpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["x402EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint, deactivated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["X402EndpointAnswer"];
                };
            };
            400: components["responses"]["InvalidEndpointId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    changeX402Endpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["x402EndpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "The daily report, one cent",
                 *       "amountUsd": "0.01",
                 *       "active": true,
                 *       "ownTransaction": false,
                 *       "acceptsWallets": true
                 *     }
                 */
                "application/json": {
                    /** @description What the payer gets, at most 1000 characters. */
                    description?: string | null;
                    /** @description In US dollars: at most six decimals, and no less than is worth sending. */
                    amountUsd?: number | string | null;
                    /** @description In base units, instead of amountUsd. */
                    amount?: string | null;
                    /** @description False deactivates the endpoint, true takes it into service again. */
                    active?: boolean | null;
                    /** @description True for a transaction of its own for each payment, which costs more gas. */
                    ownTransaction?: boolean | null;
                    /** @description False to refuse payers with code: contract wallets, and accounts that delegate. */
                    acceptsWallets?: boolean | null;
                    /** @description True to list it at /v1/x402/discovery. */
                    discoverable?: boolean | null;
                    /** @description Shown at /v1/x402/discovery: `mimeType`, `serviceName`, `tags`, `iconUrl`, and `info`, `schema`, `routeTemplate` of `bazaar`; 8,192 characters at most. */
                    discovery?: components["schemas"]["X402Discovery"] | null;
                };
            };
        };
        responses: {
            /** @description The endpoint, changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["X402EndpointAnswer"];
                };
            };
            400: components["responses"]["BadEndpoint"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            409: components["responses"]["EndpointConflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getX402Requirements: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["x402EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment requirements. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRequiredAnswer"];
                };
            };
            400: components["responses"]["InvalidEndpointId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description The most elements on a page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1, the first without it. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description How many elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty, to begin. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty, to begin at the end. */
                before?: components["parameters"]["before"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["WebhookEndpoint"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://shop.example.com/hooks/remit",
                 *       "description": "The shop",
                 *       "eventTypes": [
                 *         "invoice.paid",
                 *         "invoice.completed"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Where events are posted to: https, in the sandbox also http, on the public internet, without credentials and fragment. */
                    url: string;
                    /** @description A description, at most 1000 characters. */
                    description?: string | null;
                    /** @description The types of events to be sent; null for every type. */
                    eventTypes?: components["schemas"]["EventType"][] | null;
                };
            };
        };
        responses: {
            /** @description The new endpoint. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecretAnswer"];
                };
            };
            400: components["responses"]["BadBody"];
            401: components["responses"]["NoKey"];
            /** @description too many endpoints */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TooManyEndpointsError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["webhookEndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointAnswer"];
                };
            };
            400: components["responses"]["InvalidEndpointId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["webhookEndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description What was deleted. */
                        data: {
                            /**
                             * Format: uuid
                             * @description The endpoint that was.
                             */
                            id: string;
                            /**
                             * @description True: it is gone.
                             * @constant
                             */
                            deleted: true;
                        };
                    };
                };
            };
            400: components["responses"]["InvalidEndpointId"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    changeWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["webhookEndpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://shop.example.com/hooks/remit",
                 *       "description": "The shop",
                 *       "eventTypes": [
                 *         "invoice.paid",
                 *         "invoice.completed"
                 *       ],
                 *       "active": true
                 *     }
                 */
                "application/json": {
                    /** @description Where events are posted to: https, in the sandbox also http, on the public internet, without credentials and fragment. */
                    url?: string | null;
                    /** @description A description, at most 1000 characters. */
                    description?: string | null;
                    /** @description The types of events to be sent; null for every type. */
                    eventTypes?: components["schemas"]["EventType"][] | null;
                    /** @description False switches the endpoint off, true switches it on again. */
                    active?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The endpoint, changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointAnswer"];
                };
            };
            400: components["responses"]["BadEndpoint"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["webhookEndpointId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description False when the old secret has leaked. */
                    overlap?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The endpoint and its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecretAnswer"];
                };
            };
            400: components["responses"]["BadEndpoint"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["webhookEndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event is on its way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description The created event. */
                        data: {
                            /**
                             * Format: uuid
                             * @description Identifies the event.
                             */
                            eventId: string;
                            /**
                             * Format: uuid
                             * @description The endpoint that it is sent to.
                             */
                            endpointId: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadEndpoint"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            409: components["responses"]["EndpointDisabled"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    replayWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["webhookEndpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Events of this time or later. */
                    since: components["schemas"]["Time"];
                };
            };
        };
        responses: {
            /** @description They are on their way. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description The counts. */
                        data: {
                            /** @description How many events are sent. */
                            replayed: number;
                            /** @description True when more is left for another call. */
                            hasMore: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["BadEndpoint"];
            401: components["responses"]["NoKey"];
            404: components["responses"]["EndpointNotFound"];
            409: components["responses"]["EndpointDisabled"];
            413: components["responses"]["TooLarge"];
            /** @description replay limit reached · too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayLimitReachedError"] | components["schemas"]["TooManyRequestsError"];
                };
            };
            "5XX": components["responses"]["Fault"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The most elements on a page. */
                limit?: components["parameters"]["limit"];
                /** @description The page, counted from 1, the first without it. Excludes `offset`. */
                page?: components["parameters"]["page"];
                /** @description How many elements to skip. Excludes `page`. */
                offset?: components["parameters"]["offset"];
                /** @description The `next` of a page, to continue after it; empty, to begin. */
                after?: components["parameters"]["after"];
                /** @description The `previous` of a page, to go back; empty, to begin at the end. */
                before?: components["parameters"]["before"];
                /** @description Only deliveries to this endpoint. */
                endpointId?: string;
                /** @description Only deliveries of this event. */
                eventId?: string;
                /** @description Only deliveries in this state. */
                state?: "pending" | "succeeded" | "failed";
                /** @description Only deliveries of events of this type. */
                type?: components["schemas"]["EventType"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageAnswer"] & {
                        /** @description The page. */
                        data: components["schemas"]["Delivery"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["deliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryWithAttemptsAnswer"];
                };
            };
            /** @description invalid delivery id */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidDeliveryIdError"];
                };
            };
            401: components["responses"]["NoKey"];
            404: components["responses"]["DeliveryNotFound"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["deliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is on its way. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAnswer"];
                };
            };
            /** @description invalid delivery id · invalid request body */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidDeliveryIdError"] | components["schemas"]["InvalidRequestBodyError"];
                };
            };
            401: components["responses"]["NoKey"];
            404: components["responses"]["DeliveryNotFound"];
            409: components["responses"]["EndpointDisabled"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The most elements on a page. */
                limit?: components["parameters"]["limit"];
                /** @description Read on after this event, the last one that was read. */
                after?: string;
                /** @description Without `after`: whether to begin with the oldest event, as without it, or to see the newest, backwards. */
                first?: "oldest" | "newest";
                /** @description Only events of this type. */
                type?: components["schemas"]["EventType"];
                /** @description Only events about this object, e.g. an invoice. */
                objectId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description The events in their order. */
                        data: components["schemas"]["Event"][];
                        /** @description How to read on. */
                        metadata: {
                            pagination: components["schemas"]["CursorPagination"];
                        };
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventAnswer"];
                };
            };
            /** @description invalid event id */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidEventIdError"];
                };
            };
            401: components["responses"]["NoKey"];
            /** @description event not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventNotFoundError"];
                };
            };
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    getRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recipient. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description Where the money goes. */
                        data: {
                            /** @description The active address; null while there is none. */
                            recipient: components["schemas"]["Address"] | null;
                            /** @description The delay of a change, in seconds. */
                            delaySeconds: number;
                            /** @description The newest changes, the last one first. */
                            changes: components["schemas"]["RecipientChange"][];
                        };
                    };
                };
            };
            401: components["responses"]["NoKey"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    changeRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An account of yours, with its EIP-55 checksum. */
                    address: string;
                };
            };
        };
        responses: {
            /** @description The change. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientChangeAnswer"];
                };
            };
            /** @description invalid request body · invalid recipient address */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["InvalidRecipientError"];
                };
            };
            401: components["responses"]["NoKey"];
            /** @description owner missing · recipient change open */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnerMissingError"] | components["schemas"]["RecipientChangeOpenError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    cancelRecipientChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cancelled change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientChangeAnswer"];
                };
            };
            401: components["responses"]["NoKey"];
            /** @description recipient change not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientChangeNotFoundError"];
                };
            };
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    reportTransactions: {
        parameters: {
            query?: {
                /** @description Only what is at or after this moment, with a time zone. */
                from?: components["parameters"]["from"];
                /** @description Only what is before this moment, with a time zone. */
                to?: components["parameters"]["to"];
                /** @description Whether a byte order mark comes first: Excel needs it. */
                bom?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["ReportInProgressOrTooManyRequests"];
            "5XX": components["responses"]["Fault"];
        };
    };
    reportDays: {
        parameters: {
            query?: {
                /** @description Only what is at or after this moment, with a time zone. */
                from?: components["parameters"]["from"];
                /** @description Only what is before this moment, with a time zone. */
                to?: components["parameters"]["to"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The days. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description In order. */
                        data: components["schemas"]["ReportDay"][];
                    };
                };
            };
            400: components["responses"]["BadQuery"];
            401: components["responses"]["NoKey"];
            429: components["responses"]["ReportInProgressOrTooManyRequests"];
            "5XX": components["responses"]["Fault"];
        };
    };
    queryFigures: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One query, of at most 10,000 characters. */
                    query: string;
                    /** @description The values of its variables. */
                    variables?: {
                        [key: string]: unknown;
                    } | null;
                    /** @description Its name, which nothing depends on. */
                    operationName?: string | null;
                };
            };
        };
        responses: {
            /** @description The requested data. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description By the names of its fields. */
                        data: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            /** @description invalid request body · invalid GraphQL query */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["InvalidGraphqlQueryError"];
                };
            };
            401: components["responses"]["NoKey"];
            413: components["responses"]["TooLarge"];
            /** @description another report is being read · request budget exceeded · too many requests */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportInProgressError"] | components["schemas"]["BudgetExceededError"] | components["schemas"]["TooManyRequestsError"];
                };
            };
            "5XX": components["responses"]["Fault"];
        };
    };
    sandboxFaucet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Who gets the tokens. */
                    address: string;
                    /** @description A development chain, by networkId or CAIP-2 identifier. */
                    networkId: string;
                    /** @description The ticker of the token. */
                    tokenSymbol: string;
                    /** @description How much, in the token's major unit. */
                    amount: number | string;
                };
            };
        };
        responses: {
            /** @description The tokens are there. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description The created object. */
                        data: {
                            /** @description Who gets the tokens. */
                            address: string;
                            /** @description A development chain, by networkId or CAIP-2 identifier. */
                            networkId: string;
                            /** @description The ticker of the token. */
                            tokenSymbol: string;
                            /** @description How much, in the token's major unit. */
                            amount: string;
                            /** @description The transaction. */
                            txHash: components["schemas"]["TransactionHash"];
                        };
                    };
                };
            };
            400: components["responses"]["BadInvoice"];
            401: components["responses"]["NoKey"];
            /** @description chain not local */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainNotLocalError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    sandboxScenario: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The invoice to play it against.
                     */
                    invoiceId: string;
                    /**
                     * @description `exact`: Pays exactly what is asked for. `partial`: Pays half of it. `over`: Pays a tenth more. `late`: Ends the invoice, and pays afterwards. `wrong-token`: Pays in another token. `wrong-chain`: Pays on a chain that the invoice does not list. `two-chains`: Pays one half on each of two chains. `reorganisation`: Pays, takes the block away, and pays again. `failed-settlement`: Has the token block the recipient, and pays. `unblock-recipient`: Has the token let the recipient receive again. Pays nothing.
                     * @enum {string}
                     */
                    scenario: "exact" | "partial" | "over" | "late" | "wrong-token" | "wrong-chain" | "two-chains" | "reorganisation" | "failed-settlement" | "unblock-recipient";
                };
            };
        };
        responses: {
            /** @description It was played. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        success: components["schemas"]["Success"];
                        /** @description What was done. */
                        data: {
                            /**
                             * Format: uuid
                             * @description The invoice to play it against.
                             */
                            invoiceId: string;
                            /**
                             * @description What was played.
                             * @enum {string}
                             */
                            scenario: "exact" | "partial" | "over" | "late" | "wrong-token" | "wrong-chain" | "two-chains" | "reorganisation" | "failed-settlement" | "unblock-recipient";
                            /** @description The payments that were made and stand. */
                            transactions: {
                                /** @description The chain. */
                                networkId: string;
                                /** @description The transaction. */
                                txHash: components["schemas"]["TransactionHash"];
                            }[];
                        };
                    };
                };
            };
            /** @description invalid request body · invalid invoice id */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvalidRequestBodyError"] | components["schemas"]["InvalidInvoiceIdError"];
                };
            };
            401: components["responses"]["NoKey"];
            404: components["responses"]["InvoiceNotFound"];
            /** @description scenario not possible */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScenarioNotPossibleError"];
                };
            };
            413: components["responses"]["TooLarge"];
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Fault"];
        };
    };
    listChains: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The chains. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Chain"][];
                };
            };
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Internal"];
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"][];
                };
            };
            429: components["responses"]["Limit"];
            "5XX": components["responses"]["Internal"];
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthAnswer"];
                };
            };
            "5XX": components["responses"]["Internal"];
        };
    };
    ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadinessAnswer"];
                };
            };
            401: components["responses"]["NoKey"];
            /** @description service unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotReadyError"];
                };
            };
            "5XX": components["responses"]["Internal"];
        };
    };
}
