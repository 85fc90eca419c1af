// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Business} from "./support/Business.sol";
import {Hub} from "./support/Hub.sol";
import {Test} from "./support/Test.sol";

/// @notice What stays true of a hub whatever is done to it. That replays and forgeries move nothing
///         and that a bad item changes no other is checked where Business does those things.
contract InvariantsTest is Test {
    address private constant COLLECTOR = address(0xFEE5);
    address private constant STRANGER = address(0xBAD);

    Business private business;
    Hub private hub;
    mapping(uint256 merchant => uint32) private seenVersion;

    function setUp() public {
        business = new Business();
        hub = Hub(business.theHub());
        bytes4[] memory selectors = new bytes4[](13);
        selectors[0] = business.payDeposit.selector;
        selectors[1] = business.settlePayments.selector;
        selectors[2] = business.distributeOne.selector;
        selectors[3] = business.payForwarderWithTheOtherToken.selector;
        selectors[4] = business.sweepAny.selector;
        selectors[5] = business.sweepBetweenBadOnes.selector;
        selectors[6] = business.sweepAsStranger.selector;
        selectors[7] = business.refundSome.selector;
        selectors[8] = business.rescueSome.selector;
        selectors[9] = business.replay.selector;
        selectors[10] = business.forge.selector;
        selectors[11] = business.changeTreasury.selector;
        selectors[12] = business.toggleBlacklist.selector;
        targetOnly(address(business), selectors);
    }

    /// @dev Invariants of a business in which nothing succeeds would be worth nothing.
    function test_business_is_done() public {
        for (uint256 i; i < 60; ++i) {
            uint256 seed = uint256(keccak256(abi.encode(i)));
            business.payDeposit(seed, seed >> 16);
            business.settlePayments(seed, seed >> 16, seed & 1 == 0);
            business.sweepAny(seed, seed >> 32, seed >> 48);
            business.refundSome(seed >> 1, seed >> 64);
            business.toggleBlacklist(seed);
        }
        vm.assertTrue(business.sweeps() > 5, "sweeps");
        vm.assertTrue(business.settlements() > 50, "settlements");
        vm.assertTrue(business.refunds() > 5, "refunds");
        invariant_money_in_is_money_out_and_money_held();
        invariant_fees_keep_the_cap_of_the_address();
    }

    function invariant_money_in_is_money_out_and_money_held() public view {
        (address usdc, address usdt) = business.bothTokens();
        address[] memory holders = business.holders();
        conserved(usdc, holders);
        conserved(usdt, holders);
    }

    function invariant_only_those_who_may_receive_ever_do() public view {
        (address usdc, address usdt) = business.bothTokens();
        vm.assertEq(business.balance(usdc, STRANGER), 0, "stranger");
        vm.assertEq(business.balance(usdt, STRANGER), 0, "stranger");
    }

    function invariant_the_hub_holds_nothing() public view {
        (address usdc, address usdt) = business.bothTokens();
        vm.assertEq(business.balance(usdc, address(hub)), 0, "usdc");
        vm.assertEq(business.balance(usdt, address(hub)), 0, "usdt");
        vm.assertEq(address(hub).balance, 0, "native coin");
    }

    function invariant_fees_keep_the_cap_of_the_address() public view {
        address[] memory deposits = business.deposits();
        for (uint256 i; i < deposits.length; ++i) {
            uint256 charged = business.feesOf(deposits[i]);
            uint256 cap = business.capOf(deposits[i]);
            vm.assertLe(charged + hub.feeLeft(deposits[i]), cap, "charged and left");
        }
    }

    function invariant_fees_are_held_only_where_there_is_money_for_them() public view {
        (address usdc, address usdt) = business.bothTokens();
        address[] memory forwarders = business.forwarders();
        for (uint256 i; i < forwarders.length; ++i) {
            heldAtMost(forwarders[i], usdc);
            heldAtMost(forwarders[i], usdt);
        }
    }

    function invariant_a_deployed_address_has_the_predicted_code() public view {
        bytes memory expected = abi.encodePacked(
            hex"3d3d3d3d363d3d37363d73",
            hub.forwarderImplementation(),
            hex"5af43d3d93803e602a57fd5bf3"
        );
        allEmptyOr(expected, business.deposits());
        allEmptyOr(expected, business.forwarders());
    }

    function invariant_registry_versions_only_grow() public {
        for (uint256 m; m < 3; ++m) {
            (,,, uint32 version,) = hub.merchants(business.merchantOf(m));
            vm.assertEq(version, business.signedVersion(m), "the newest that was signed");
            vm.assertLe(seenVersion[m], version, "never smaller");
            seenVersion[m] = version;
        }
    }

    function conserved(address token, address[] memory holders) private view {
        uint256 sum;
        for (uint256 i; i < holders.length; ++i) sum += business.balance(token, holders[i]);
        (bool ok, bytes memory supply) =
            token.staticcall(abi.encodeWithSignature("totalSupply()"));
        vm.assertTrue(ok, "has a supply");
        vm.assertEq(sum, abi.decode(supply, (uint256)), "every unit is accounted for");
    }

    function heldAtMost(address forwarder, address token) private view {
        uint256 held = hub.feeHeld(forwarder, token);
        vm.assertLe(held, business.balance(token, forwarder), "held");
    }

    function allEmptyOr(bytes memory expected, address[] memory accounts) private view {
        for (uint256 i; i < accounts.length; ++i) {
            if (accounts[i].code.length == 0) continue;
            vm.assertEq(accounts[i].code, expected, "the clone's code");
        }
    }
}
