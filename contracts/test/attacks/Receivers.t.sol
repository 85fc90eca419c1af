// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {LiveHub} from "./support/LiveHub.sol";

/// @notice Makes a configured call when it receives native coin.
contract CallingBack {
    address private _target;
    bytes[] private _calls;

    function whenPaid(address target, bytes[] calldata calls) external {
        _target = target;
        for (uint256 i; i < calls.length; ++i) _calls.push(calls[i]);
    }

    receive() external payable {
        for (uint256 i; i < _calls.length; ++i) {
            (bool ok,) = _target.call(_calls[i]);
            ok;
        }
    }
}

/// @notice Burns all gas that it is given.
contract BurningReceiver {
    receive() external payable {
        assembly {
            invalid()
        }
    }
}

/// @notice Answers with very much, having succeeded or not.
contract ReturnBomb {
    bool private immutable _isOk;

    constructor(bool isOk) {
        _isOk = isOk;
    }

    receive() external payable {
        bool isOk = _isOk;
        assembly {
            if isOk { return(0, 100000) }
            revert(0, 100000)
        }
    }
}

/// @notice A receiver of native coin runs its own code within a relayer's transaction.
contract ReceiversAttack is LiveHub {
    uint256 private constant GIVEN = 1 ether;

    function setUp() public override {
        super.setUp();
        bytes memory call = abi.encodeCall(hub.setToken, (address(0), false, 18, 10 ether));
        proposeAndWait(call);
        asOwner(call);
    }

    /// @dev He carries his own order again, and the next one of the batch, and distributes.
    function test_calling_back_pays_nobody_twice() public {
        CallingBack receiver = new CallingBack();
        address deposit = depositOf(INVOICE);
        vm.deal(deposit, 3 * GIVEN);
        usdc.mint(hub.forwarderAddress(MERCHANT), 100e6);
        IRemitHub.DepositRefund[] memory items = new IRemitHub.DepositRefund[](2);
        items[0] = refundBy(REFUND_KEY, INVOICE, address(0), address(receiver), GIVEN);
        items[1] = refundBy(REFUND_KEY, INVOICE, address(0), CUSTOMER, GIVEN);
        bytes[] memory calls = new bytes[](3);
        calls[0] = abi.encodeCall(hub.refund, (items, 60_000));
        calls[1] = abi.encodeCall(
            hub.distribute, (address(usdc), distributionOf(MERCHANT, 1), IRemitHub.Gas(9e4, 1e4, 1e4))
        );
        calls[2] = abi.encodeCall(hub.refundItem, (items[1]));
        receiver.whenPaid(address(hub), calls);
        hub.refund(items, 1_000_000);
        vm.assertEq(address(receiver).balance, GIVEN, "his own, once");
        vm.assertEq(CUSTOMER.balance, GIVEN, "the next one, once");
        vm.assertEq(deposit.balance, GIVEN, "the rest is there");
        vm.assertEq(hub.refundRoom(address(0)), 10 ether - 2 * GIVEN, "both are booked, once");
        vm.assertEq(usdc.balanceOf(TREASURY), 0, "nothing was distributed");
    }

    function test_burning_costs_its_item_only() public {
        betweenGoodOnes(address(new BurningReceiver()), 0);
    }

    function test_a_bomb_of_data_costs_its_item_only() public {
        betweenGoodOnes(address(new ReturnBomb(false)), 0);
        betweenGoodOnes(address(new ReturnBomb(true)), GIVEN);
    }

    /// @dev Pays a good receiver before and after the hostile one, who gets `paid`.
    function betweenGoodOnes(address hostile, uint256 paid) private {
        vm.deal(depositOf(INVOICE), 3 * GIVEN);
        vm.deal(CUSTOMER, 0);
        IRemitHub.DepositRefund[] memory items = new IRemitHub.DepositRefund[](3);
        items[0] = refundBy(REFUND_KEY, INVOICE, address(0), CUSTOMER, GIVEN);
        items[1] = refundBy(REFUND_KEY, INVOICE, address(0), hostile, GIVEN);
        items[2] = refundBy(REFUND_KEY, INVOICE, address(0), CUSTOMER, GIVEN);
        uint256 before = gasleft();
        hub.refund(items, ITEM_GAS);
        vm.assertLt(before - gasleft(), ITEM_GAS + 250_000, "no more than its own gas");
        vm.assertEq(hostile.balance, paid, "the hostile one");
        vm.assertEq(CUSTOMER.balance, 2 * GIVEN, "the good ones");
    }
}
