// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {RebasingToken} from "./support/HostileTokens.sol";
import {LiveHub} from "./support/LiveHub.sol";

/// @notice The fee of a distribution, against a reference that was written another way: the rate,
///         and at most the cap, which is the same money for all decimals of tokens.
contract FeeCaps is LiveHub {
    function test_a_cap_is_the_same_money_for_every_token() public {
        for (uint8 decimals; decimals <= 36; ++decimals) {
            uint256 whole = 10 ** decimals;
            // 20,000 whole tokens at one percent are 200: the cap of 50 holds.
            (uint256 paid, uint256 fee) = pay(decimals, 20_000 * whole, FEE_BPS, 50e6);
            vm.assertEq(fee, 50 * whole, "fifty whole tokens");
            vm.assertEq(paid, 19_950 * whole, "the rest is the merchant's");
        }
    }

    function testFuzz_the_fee_is_the_reference_s(
        uint8 decimals,
        uint256 amount,
        uint16 bps,
        uint40 cap
    ) public {
        decimals = uint8(within(decimals, 0, 36));
        amount = within(amount, 1, 1e50);
        bps = uint16(within(bps, 0, 1_000));
        (uint256 paid, uint256 fee) = pay(decimals, amount, bps, cap);
        vm.assertEq(paid + fee, amount, "all of it");
        // In units so small that nothing is rounded: 10^-36 of a whole token.
        uint256 unit = 10 ** (36 - decimals);
        uint256 capInUnits = uint256(cap) * 1e30;
        bool capped = fee * unit + unit > capInUnits;
        vm.assertLe(fee * unit, capInUnits, "never above the cap");
        vm.assertLe(fee * 10_000, amount * bps, "never above the rate");
        if (!capped) vm.assertTrue((fee + 1) * 10_000 > amount * bps, "and not a unit less");
    }

    function pay(uint8 decimals, uint256 amount, uint16 bps, uint40 cap)
        private
        returns (uint256 paid, uint256 fee)
    {
        RebasingToken token = new RebasingToken();
        bytes memory call = abi.encodeCall(hub.setToken, (address(token), true, decimals, 0));
        proposeAndWait(call);
        asOwner(call);
        IRemitHub.MerchantConfig memory config = entry(MERCHANT, TREASURY, versionOf(MERCHANT) + 1);
        (config.feeBps, config.feeCap) = (bps, cap);
        configure(config);
        token.mint(hub.forwarderAddress(MERCHANT), amount + 1);
        distribute(RELAYER, address(token), MERCHANT, config.version);
        return (token.balanceOf(TREASURY), token.balanceOf(COLLECTOR));
    }
}
