import type { IconName } from '../ui/icon.tsx'

export type Channel = 'in_app' | 'email' | 'sms' | 'push' | 'chat'
/** In the order in which people name them. */
export const channels: readonly Channel[] = ['in_app', 'email', 'sms', 'push', 'chat']

const names: Record<string, string> = { in_app: 'In-app', email: 'E-mail', sms: 'SMS', push: 'Push', chat: 'Chat' }
const icons: Record<string, IconName> = { in_app: 'bell', email: 'mail', sms: 'phone', push: 'push', chat: 'chat' }

export const channelName = (channel: string) => names[channel] ?? channel
export const channelIcon = (channel: string): IconName => icons[channel] ?? 'activity'
