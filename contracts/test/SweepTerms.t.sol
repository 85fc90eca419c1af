// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IHubErrors} from "../src/interfaces/IHubErrors.sol";
import {IRemitHub} from "../src/interfaces/IRemitHub.sol";
import {HungryToken, TaxedToken} from "./doubles/Tokens.sol";
import {HubTest} from "./support/HubTest.sol";

/// @notice The terms of a sweep besides amounts: the list of tokens, what must be left, whether it
///         deploys, and its gas.
contract SweepTermsTest is HubTest {
    function funded(uint256 amount) private returns (IRemitHub.Sweep memory item) {
        item = sweepOf(address(usdc), amount, 0);
        usdc.mint(depositOf(item), amount);
    }

    /// @dev A worthless token could otherwise deploy a deposit, and no fee could ever be charged.
    function test_a_token_that_is_not_listed_deploys_nothing() public {
        TaxedToken token = new TaxedToken();
        IRemitHub.Sweep memory item = sweepOf(address(token), 100e6, 0);
        token.mint(depositOf(item), 100e6);
        expectSweepRefused(
            item, abi.encodeWithSelector(IHubErrors.TokenNotListed.selector, address(token))
        );
        list(address(token));
        sweep(item);
        vm.assertEq(token.balanceOf(depositOf(item)), 0, "listed, it is swept");
    }

    function test_native_coin_is_not_swept() public {
        IRemitHub.Sweep memory item = sweepOf(address(0), 1, 0);
        vm.deal(depositOf(item), 1);
        expectSweepRefused(
            item, abi.encodeWithSelector(IHubErrors.TokenNotListed.selector, address(0))
        );
    }

    function testFuzz_what_is_to_be_left_is_there_afterwards(
        uint128 held,
        uint128 amount,
        uint128 leave
    ) public {
        held = uint128(within(held, 1, type(uint128).max));
        amount = uint128(within(amount, 1, held));
        IRemitHub.Sweep memory item = funded(held);
        (item.amount, item.leave) = (amount, leave);
        if (leave > held - amount) {
            expectSweepRefused(
                item,
                abi.encodeWithSelector(
                    IHubErrors.DepositLeavesLess.selector, held - amount, leave
                )
            );
        } else {
            sweep(item);
            vm.assertEq(usdc.balanceOf(TREASURY), amount, "treasury");
        }
    }

    /// @dev A commit was lost and the same sweep is sent again: it would take the refund's money.
    function test_a_sweep_that_is_sent_twice_takes_nothing_that_was_to_be_left() public {
        IRemitHub.Sweep memory item = funded(160e6);
        (item.amount, item.leave) = (100e6, 60e6);
        sweep(item);
        item.amount = 60e6;
        expectSweepRefused(
            item, abi.encodeWithSelector(IHubErrors.DepositLeavesLess.selector, 0, 60e6)
        );
        item.amount = 1;
        expectSweepRefused(
            item, abi.encodeWithSelector(IHubErrors.DepositLeavesLess.selector, 60e6 - 1, 60e6)
        );
        vm.assertEq(usdc.balanceOf(depositOf(item)), 60e6, "it is still there");
    }

    /// @dev A fee that the collector's token refused stays in the deposit, and counts as left.
    function test_a_fee_that_was_refused_is_left() public {
        usdc.blacklist(COLLECTOR);
        IRemitHub.Sweep memory item = funded(100e6);
        (item.fee, item.leave) = (1e6, 1e6);
        sweep(item);
        vm.assertEq(usdc.balanceOf(depositOf(item)), 1e6, "left");
        vm.assertEq(hub.feeLeft(depositOf(item)), 1e6, "owed");
    }

    function test_with_nothing_to_leave_no_balance_is_read() public {
        HungryToken token = new HungryToken(address(0));
        list(address(token));
        IRemitHub.Sweep memory item = sweepOf(address(token), 10, 0);
        token.mint(depositOf(item), 10);
        vm.etch(address(token), address(new SilentToken()).code);
        sweep(item);
        vm.assertTrue(depositOf(item).code.length != 0, "swept though balanceOf reverts");
    }

    /// @dev CREATE2 burns what the item was given; the batch continues.
    function test_to_deploy_what_exists_costs_the_item_and_never_the_batch() public {
        IRemitHub.Sweep[] memory items = new IRemitHub.Sweep[](3);
        items[0] = funded(10e6);
        sweep(items[0]);
        usdc.mint(depositOf(items[0]), 10e6);
        items[1] = sweepOf(address(usdc), 7e6, 1e6);
        items[1].invoiceId = "other";
        usdc.mint(depositOf(items[1]), 7e6);
        items[0].deploys = true;
        items[2] = sweepOf(address(usdc), 10e6, 0);
        items[2].deploys = false;
        vm.expectEmit(address(hub));
        emit IRemitHub.SweepFailed(
            depositOf(items[0]),
            address(usdc),
            abi.encodeWithSelector(IHubErrors.DeploymentFailed.selector)
        );
        uint256 before = gasleft();
        sweepAll(items);
        vm.assertLt(before - gasleft(), ITEM_GAS + 300_000, "the item's gas and no more");
        vm.assertEq(usdc.balanceOf(COLLECTOR), 1e6, "the second is paid");
        vm.assertEq(usdc.balanceOf(TREASURY), 26e6, "and the third");
    }

    function test_not_to_deploy_what_does_not_exist_costs_the_item() public {
        IRemitHub.Sweep[] memory items = new IRemitHub.Sweep[](2);
        items[0] = funded(10e6);
        items[0].deploys = false;
        items[1] = sweepOf(address(usdc), 4e6, 0);
        address deposit = depositOf(items[0]);
        vm.expectEmit(address(hub));
        emit IRemitHub.SweepFailed(
            deposit,
            address(usdc),
            abi.encodeWithSelector(IHubErrors.NotDeployed.selector, deposit)
        );
        sweepAll(items);
        vm.assertEq(usdc.balanceOf(TREASURY), 4e6, "the other is paid");
    }

    /// @dev The flag is no way to charge a fee twice: a lie about it deploys nothing.
    function test_a_wrong_flag_charges_no_second_fee() public {
        IRemitHub.Sweep memory item = funded(100e6);
        item.fee = 1e6;
        sweep(item);
        usdc.mint(depositOf(item), 100e6);
        item.deploys = true;
        sweepAsItIs(item);
        item.deploys = false;
        expectSweepRefusedAsItIs(
            item, abi.encodeWithSelector(IHubErrors.FeeNotAvailable.selector, 1e6, 0)
        );
        vm.assertEq(usdc.balanceOf(COLLECTOR), 1e6, "charged once");
    }

    /// @dev No amount of gas is permanent: a token that costs 400,000 per transfer can be swept.
    function test_a_dear_token_is_swept_with_more_gas() public {
        HungryToken token = new HungryToken(TREASURY);
        list(address(token));
        IRemitHub.Sweep memory item = sweepOf(address(token), 100e6, 1e6);
        token.mint(depositOf(item), 100e6);
        sweep(item);
        vm.assertEq(token.balanceOf(TREASURY), 0, "not with this gas");
        vm.prank(RELAYER);
        hub.sweep(batch(item), IRemitHub.Gas(900_000, 300_000, 100_000));
        vm.assertEq(token.balanceOf(TREASURY), 99e6, "treasury");
        vm.assertEq(token.balanceOf(COLLECTOR), 1e6, "collector");
    }

    function test_a_sweep_that_cannot_be_given_its_gas_reverts_the_batch() public {
        IRemitHub.Sweep memory item = funded(1e6);
        vm.prank(RELAYER);
        vm.expectPartialRevert(IHubErrors.ItemGasTooLow.selector);
        hub.sweep(batch(item), IRemitHub.Gas(type(uint256).max, 1, 1));
    }

    /// @dev With any gas terms of the operator the item is paid, or nothing changes.
    function testFuzz_no_gas_of_the_fee_leg_loses_anything(uint256 feeGas, uint256 reserve) public {
        IRemitHub.Sweep memory item = funded(100e6);
        item.fee = 1e6;
        vm.prank(RELAYER);
        hub.sweep(batch(item), IRemitHub.Gas(ITEM_GAS, feeGas, reserve));
        address deposit = depositOf(item);
        bool isPaid = deposit.code.length != 0;
        uint256 collected = usdc.balanceOf(COLLECTOR);
        vm.assertEq(usdc.balanceOf(TREASURY), isPaid ? 99e6 : 0, "treasury");
        vm.assertEq(
            collected + hub.feeLeft(deposit), isPaid ? 1e6 : 0, "collected or still owed"
        );
    }
}

/// @notice Its transfers succeed without an answer, and it reports no balance.
contract SilentToken {
    function transfer(address, uint256) external pure {}
}
