import { routeContract } from '../../../test/route-contract.ts'

routeContract('channel-connections')
