import type { Messages } from './en.ts'

export const es: Messages = {
  decimalMark: ',',
  groupMark: '.',

  title: 'Pagar a {merchant}',

  chooseTitle: 'Elija cómo pagar',
  chooseHint: 'Su monedero o exchange debe enviar por la red que elija aquí.',
  networkSlow: 'Con retraso',
  usually: 'normalmente {time}',
  seconds: '{n|one:# segundo|other:# segundos}',
  minutes: '{n|one:# minuto|other:# minutos}',
  proceed: 'Continuar',
  working: 'Cargando…',
  tokenOnNetwork: '{token} en {network}',
  change: 'Cambiar token o red',

  waitingTitle: 'Esperando su pago',
  waitingNext: 'Envíe el importe exacto. Esta página se actualiza automáticamente.',
  choosingTitle: 'Todo listo',
  seenTitle: 'Pago detectado',
  seenNext: 'No tiene que hacer nada más. Confirmándose en {network}, normalmente en {time}.',
  seenPartNext: 'Se está confirmando. Aún faltan {due}: envíelos a la misma dirección.',
  partialTitle: 'Aún faltan {due}',
  partialNext: 'Han llegado {received} de {expected}. Envíe el resto a la misma dirección.',
  paidTitle: 'Pago confirmado',
  paidNext: 'Listo. {merchant} ha recibido la notificación.',
  completedTitle: 'Pago completado',
  completedNext: '{merchant} ha recibido su pago.',
  expiredTitle: 'Este pago ha caducado',
  expiredNext: 'No envíe fondos a esta dirección. Vuelva a {merchant} para empezar de nuevo.',
  expiredPartNext:
    'Llegaron a tiempo {received} de {expected}. {merchant} lo ve y puede devolvérselo.',
  lateTitle: 'Pago recibido fuera de plazo',
  lateNext:
    '{late} llegaron después del plazo. {merchant} ha sido notificado y puede aceptarlos o reembolsarlos.',
  overpaidTitle: 'Ha enviado {overpaid} de más',
  overpaidNext:
    'El exceso de {overpaid} llegó a {merchant} con su pago. Contacte con {merchant} para un reembolso.',
  earlierNext:
    'También envió dinero a una dirección que se mostró aquí antes de que cambiara su elección. {merchant} lo ve y puede devolverlo.',

  amountToSend: 'Importe exacto',
  addressToSend: 'Dirección',
  copy: 'Copiar',
  copied: 'Copiado',
  copyAmount: 'Copiar el importe exacto',
  copyAddress: 'Copiar la dirección',
  amountCopied: 'El importe está copiado.',
  addressCopied: 'La dirección está copiada.',
  copyRefused: 'Su navegador no permite copiar. Seleccione el texto y cópielo usted.',
  qrTitle: 'Código QR',
  qrPlain: 'Solo dirección',
  qrRequest: 'Con importe',
  qrPlainLabel: 'Código QR de la dirección',
  qrRequestLabel: 'Código QR de la dirección, el token y el importe',
  qrRequestHint:
    'No todos los monederos leen este código. Compruebe token e importe antes de enviar.',
  onlyThis: 'Envíe solo {token}, y solo por {network}.',
  payBy: 'Pague antes del {time}',
  timeLeft: 'quedan {time}',
  helpTitle: '¿Y si pago tarde o de menos?',
  helpLate:
    'Un pago que llega tarde no se pierde. {merchant} recibe el aviso y puede aceptarlo o devolverlo.',
  helpFees:
    'Los exchanges suelen descontar una comisión. Si llega menos, esta página dice cuánto falta y usted lo envía a la misma dirección.',

  walletTitle: 'O pague con un monedero',
  walletPay: 'Pagar con {wallet}',
  walletConnecting: 'Conéctese en {wallet}.',
  walletSwitching: 'Cambie a {network} en {wallet}.',
  walletConfirming: 'Confirme el pago en {wallet}.',
  walletSent: '{wallet} ha enviado el pago. En breve estará en la red.',
  walletDeclined: 'Lo ha rechazado en {wallet}. No se ha enviado nada.',
  walletBusy: '{wallet} tiene una solicitud abierta. Respóndala primero.',
  walletElsewhere: '{wallet} sigue en otra red. Cámbielo a {network} e inténtelo de nuevo.',
  walletFailed:
    '{wallet} no pudo enviarlo. Compruebe que tiene suficiente {token}, y {coin} para la comisión de la red.',
  walletTab: 'Abrir en otra pestaña para pagar con un monedero',
  walletApp: 'Abrir app de monedero',
  opensTab: 'se abre en otra pestaña',

  transfersTitle: 'Sus pagos',
  explorer: 'Ver en el explorador',
  confirmations: 'Confirmaciones: {n} de {needed}',
  statusPending: 'Confirmándose',
  statusConfirmed: 'Confirmado',
  statusReverted: 'Falló en la red',
  kindLate: 'Tarde',
  kindOther: 'Token o red incorrectos',
  transferReturning: '{amount} están de vuelta en camino.',
  transferReturned: 'Se devolvieron {amount}.',

  hashTitle: '¿Ha pagado y no aparece?',
  hashLabel: 'Hash de la transacción',
  hashHint: '0x y 64 caracteres. Su monedero o exchange lo muestra junto al pago.',
  hashSend: 'Buscar pago',
  hashWrong: 'Introduzca un hash de transacción: 0x y 64 caracteres.',
  lookupPayment: 'Encontrada en {network}. Paga esto y cuenta en cuanto se confirme.',
  lookupLate:
    'Encontrada en {network}, pero llegó después del plazo. Solo cuenta si {merchant} la acepta.',
  lookupOtherNetwork:
    'Fue a la dirección correcta, pero por {network}, que no se ofrecía. {merchant} la ve: pregunte allí qué pasará con ella.',
  lookupOtherToken:
    'Fue a la dirección correcta en {network}, pero con otro token. {merchant} la ve: pregunte allí qué pasará con ella.',
  lookupElsewhere:
    'Encontrada en {network}. Revisamos sus transferencias de tokens, la moneda que envió ella misma y el saldo de la dirección de esta página antes y después de su bloque, y no encontramos nada para este pago. Compare la dirección en su monedero.',
  lookupFailed: 'Falló en {network}, así que no se envió nada. Puede enviar el pago de nuevo.',
  lookupNotMined:
    '{network} la conoce, pero aún no está en ningún bloque. Esta página la mostrará; no envíe otra vez.',
  lookupUnknown:
    'No encontramos esta transacción en ninguna red compatible. Compruebe el hash y la red.',
  lookupIncomplete:
    'Algunas redes aún no han respondido. Un pago a esta dirección aparecerá aquí automáticamente. Si no, inténtelo de nuevo en un minuto.',

  refundTitle: 'Añadir dirección de reembolso',
  refundLabel: 'Su dirección',
  refundHint: 'Use su propio monedero en la red por la que pagó, no una dirección de un exchange.',
  refundSend: 'Guardar',
  refundSaved: 'Si {merchant} devuelve dinero, irá a {address}.',
  refundWrong: 'Esto aún no es una dirección. Son 0x y 40 caracteres de 0 a 9 y de a a f.',

  tooOften: 'Demasiados intentos. Inténtelo de nuevo en un minuto.',
  tryAgain: 'No ha funcionado. Inténtelo de nuevo.',
  offline: 'Se ha perdido la conexión. Seguimos intentándolo; su pago está a salvo.',
  refresh: 'Actualizar esta página',
  refreshHint: 'Sin JavaScript, esta página no cambia por sí sola.',

  receiptTitle: 'Recibo',
  receiptMerchant: 'Pagado a',
  receiptFor: 'Concepto',
  receiptAmount: 'Importe',
  receiptReceived: 'Recibido',
  receiptReference: 'Referencia',
  receiptDate: 'Fecha',
  receiptTransaction: 'Transacción en {network}',
  print: 'Imprimir recibo',
  goBack: 'Volver a {merchant}',
  close: 'Cerrar',

  support: '¿Preguntas sobre este pago?',
  supportEmail: 'Escribir a {merchant}',
  supportPage: 'Ayuda de {merchant}',
  supportNone: 'Contacte con {merchant}.',
  quote: 'Indique la referencia {reference}.',
  language: 'Idioma',
  languageSet: 'Elegir',
}
