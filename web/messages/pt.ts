import type { Messages } from './en.ts'

export const pt: Messages = {
  decimalMark: ',',
  groupMark: '.',

  title: 'Pagar a {merchant}',

  chooseTitle: 'Escolha como pagar',
  chooseHint: 'Envie da sua carteira ou corretora pela rede que você escolher aqui.',
  networkSlow: 'Com atraso',
  usually: 'normalmente {time}',
  seconds: '{n|one:# segundo|other:# segundos}',
  minutes: '{n|one:# minuto|other:# minutos}',
  proceed: 'Continuar',
  working: 'Carregando…',
  tokenOnNetwork: '{token} em {network}',
  change: 'Mudar token ou rede',

  waitingTitle: 'Aguardando seu pagamento',
  waitingNext: 'Envie o valor exato. Esta página é atualizada automaticamente.',
  choosingTitle: 'Tudo pronto',
  seenTitle: 'Pagamento detectado',
  seenNext: 'Você não precisa fazer mais nada. Confirmando em {network}, normalmente em {time}.',
  seenPartNext: 'Está sendo confirmado. Ainda faltam {due}: envie para o mesmo endereço.',
  partialTitle: 'Ainda faltam {due}',
  partialNext: 'Chegaram {received} de {expected}. Envie o restante para o mesmo endereço.',
  paidTitle: 'Pagamento confirmado',
  paidNext: 'Pronto. {merchant} foi notificado.',
  completedTitle: 'Pagamento concluído',
  completedNext: '{merchant} recebeu seu pagamento.',
  expiredTitle: 'Este pagamento expirou',
  expiredNext: 'Não envie fundos para este endereço. Volte a {merchant} para começar de novo.',
  expiredPartNext:
    'Chegaram a tempo {received} de {expected}. {merchant} vê isso e pode devolver a você.',
  lateTitle: 'Pagamento recebido com atraso',
  lateNext:
    '{late} chegaram depois do prazo. {merchant} foi notificado e pode aceitar ou reembolsar.',
  overpaidTitle: 'Você enviou {overpaid} a mais',
  overpaidNext:
    'O excedente de {overpaid} chegou a {merchant} com seu pagamento. Fale com {merchant} para um reembolso.',
  earlierNext:
    'Você também enviou dinheiro a um endereço mostrado aqui antes da nova escolha. {merchant} vê isso e pode devolver.',

  amountToSend: 'Valor exato',
  addressToSend: 'Endereço',
  copy: 'Copiar',
  copied: 'Copiado',
  copyAmount: 'Copiar o valor exato',
  copyAddress: 'Copiar o endereço',
  amountCopied: 'O valor foi copiado.',
  addressCopied: 'O endereço foi copiado.',
  copyRefused: 'Seu navegador não permite copiar. Selecione o texto e copie você mesmo.',
  qrTitle: 'Código QR',
  qrPlain: 'Só o endereço',
  qrRequest: 'Com valor',
  qrPlainLabel: 'Código QR do endereço',
  qrRequestLabel: 'Código QR do endereço, do token e do valor',
  qrRequestHint: 'Nem toda carteira lê este código. Confira token e valor antes de enviar.',
  onlyThis: 'Envie somente {token}, e somente pela rede {network}.',
  payBy: 'Pague até {time}',
  timeLeft: 'faltam {time}',
  helpTitle: 'E se eu pagar atrasado ou a menos?',
  helpLate:
    'Um pagamento que chega atrasado não se perde. {merchant} é avisado e pode aceitar ou devolver.',
  helpFees:
    'Corretoras costumam descontar uma taxa. Se chegar menos, esta página diz quanto falta, e você envia para o mesmo endereço.',

  walletTitle: 'Ou pague com uma carteira',
  walletPay: 'Pagar com {wallet}',
  walletConnecting: 'Conecte-se em {wallet}.',
  walletSwitching: 'Mude para {network} em {wallet}.',
  walletConfirming: 'Confirme o pagamento em {wallet}.',
  walletSent: '{wallet} enviou o pagamento. Ele aparecerá aqui em breve.',
  walletDeclined: 'Você recusou em {wallet}. Nada foi enviado.',
  walletBusy: '{wallet} tem um pedido aberto. Responda a ele primeiro.',
  walletElsewhere: '{wallet} ainda está em outra rede. Mude para {network} e tente de novo.',
  walletFailed:
    '{wallet} não conseguiu enviar. Confira se há {token} suficiente, e {coin} para a taxa da rede.',
  walletTab: 'Abrir em outra aba para pagar com uma carteira',
  walletApp: 'Abrir app de carteira',
  opensTab: 'abre em outra aba',

  transfersTitle: 'Seus pagamentos',
  explorer: 'Ver no explorador',
  confirmations: 'Confirmações: {n} de {needed}',
  statusPending: 'Sendo confirmado',
  statusConfirmed: 'Confirmado',
  statusReverted: 'Falhou',
  kindLate: 'Atrasado',
  kindOther: 'Token ou rede incorretos',
  transferReturning: 'Reembolso de {amount} em andamento.',
  transferReturned: '{amount} reembolsados.',

  hashTitle: 'Pagou e não aparece?',
  hashLabel: 'Hash da transação',
  hashHint: '0x e 64 caracteres. Sua carteira ou corretora o mostra junto ao pagamento.',
  hashSend: 'Buscar pagamento',
  hashWrong: 'Informe um hash de transação: 0x seguido de 64 caracteres.',
  lookupPayment: 'Pagamento encontrado em {network}. Ele conta assim que for confirmado.',
  lookupLate:
    'Pagamento encontrado em {network}, mas chegou depois do prazo. Só conta se {merchant} aceitar.',
  lookupOtherNetwork:
    'Pagamento encontrado no endereço certo, mas em {network}, que não foi oferecida. {merchant} pode vê-lo. Fale com {merchant}.',
  lookupOtherToken:
    'Pagamento encontrado no endereço certo em {network}, mas em outro token. {merchant} pode vê-lo. Fale com {merchant}.',
  lookupElsewhere:
    'Transação encontrada em {network}, mas ela não pagou este endereço. Verificamos as transferências de tokens, a moeda enviada e o saldo do endereço antes e depois do bloco. Compare o endereço na sua carteira.',
  lookupFailed:
    'Esta transação falhou em {network}, então nada foi enviado. Você pode enviar o pagamento de novo.',
  lookupNotMined:
    'Transação encontrada em {network}, mas ainda não está em um bloco. Ela aparecerá aqui quando estiver. Não envie o pagamento de novo.',
  lookupUnknown:
    'Não encontramos esta transação em nenhuma rede compatível. Confira o hash e a rede.',
  lookupIncomplete:
    'Algumas redes ainda não responderam. Um pagamento para este endereço aparece aqui automaticamente. Caso contrário, tente de novo em um minuto.',

  refundTitle: 'Adicionar endereço de reembolso',
  refundLabel: 'Seu endereço',
  refundHint: 'Use sua própria carteira na rede em que pagou, não um endereço de corretora.',
  refundSend: 'Salvar',
  refundSaved: 'Os reembolsos de {merchant} vão para {address}.',
  refundWrong: 'Informe um endereço: 0x seguido de 40 caracteres.',

  tooOften: 'Muitas tentativas. Tente de novo em um minuto.',
  tryAgain: 'Não funcionou. Tente de novo.',
  offline: 'Conexão perdida. Reconectando… Seu pagamento está seguro.',
  refresh: 'Atualizar esta página',
  refreshHint: 'Sem JavaScript, esta página não é atualizada automaticamente.',

  receiptTitle: 'Recibo',
  receiptMerchant: 'Pago a',
  receiptFor: 'Referente a',
  receiptAmount: 'Valor',
  receiptReceived: 'Recebido',
  receiptReference: 'Referência',
  receiptDate: 'Data',
  receiptTransaction: 'Transação em {network}',
  print: 'Imprimir recibo',
  goBack: 'Voltar a {merchant}',
  close: 'Fechar',

  support: 'Dúvidas sobre este pagamento?',
  supportEmail: 'Escrever a {merchant}',
  supportPage: 'Ajuda de {merchant}',
  supportNone: 'Fale com {merchant}.',
  quote: 'Informe a referência {reference}.',
  language: 'Idioma',
  languageSet: 'Aplicar',
}
