import type { Ctx } from '../../context.ts'
import { secretPlaces } from '../../lib/secret-places.ts'

type Place = { organizationId: string; id: string }

export function sealSecret({ sealer }: Ctx, place: Place, secret: string): string {
  return sealer.seal(secretPlaces.signInSecret(place), secret)
}

export function openSecret({ sealer }: Ctx, { clientSecret, ...place }: Place & { clientSecret: string }): string {
  return sealer.open(secretPlaces.signInSecret(place), clientSecret)
}
