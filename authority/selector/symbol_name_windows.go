package selector

const companionName = "ctxptr-symbols.exe"
