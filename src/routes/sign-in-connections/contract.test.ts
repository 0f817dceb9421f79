import { routeContract } from '../../../test/route-contract.ts'

routeContract('sign-in-connections')
